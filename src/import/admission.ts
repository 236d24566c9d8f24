import type { Rejection } from "../company/rejection.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Why a record is not used that names a company which must be forgotten. */
export const FORGOTTEN: Rejection = { reason: "is on the list of what must be forgotten" };
export const LATER_THAN_TODAY = "a date of the data after today (UTC): today is taken";

/** The day of the import in UTC: no data is taken for newer. */
export interface Today {
  readonly asOf: string;
  readonly beginsMs: number;
  readonly endsMs: number;
}

export function todayAt(nowMs: number): Today {
  const beginsMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { asOf: new Date(beginsMs).toISOString(), beginsMs, endsMs: beginsMs + DAY_MS };
}
