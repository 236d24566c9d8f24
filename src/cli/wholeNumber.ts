import { quoted } from "../contract/quoting.ts";
import { WrongUse } from "./command.ts";

/** The number that an option was given. @throws {WrongUse} that names the option and its rule */
export function wholeNumber(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value < 1 || value > most) {
    throw new WrongUse(`${option} must be a whole number from 1 to ${most}; got ${quoted(text)}.`);
  }
  return value;
}
