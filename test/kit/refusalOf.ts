import { readSettings, SettingError } from "../../src/app/settings/settings.ts";

/** The message with which settings are refused; `accepted` if they are not. */
export function refusalOf(environment: Record<string, string>): string {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return "accepted";
}
