import type { Kysely } from "kysely";
import { MAX_AHEAD_MS, minuteOf, minuteStartMs, monthOf, monthStartMs } from "../lib/periods.ts";
import type { Tables } from "./schema/tables.ts";

/** Windows and months that lie ahead of the clock: it was wrong then, or is wrong now. Times are Unix milliseconds. */
export interface FutureRecords {
  readonly nowMs: number;
  /** When the latest one begins. */
  readonly latestMs: number;
  /** Keys with such a window. */
  readonly keys: number;
  /** Accounts with such a month. */
  readonly accounts: number;
}

/**
 * Returns the periods ahead of the clock, which the next calls correct; `undefined` if there are none. Scans all rows.
 */
export async function aheadOfClock(
  db: Kysely<Tables>,
  nowMs: number,
  isTest = false,
): Promise<FutureRecords | undefined> {
  const limitMs = nowMs + MAX_AHEAD_MS;
  const { keys, minute } = await db
    .selectFrom("keys")
    .select(({ fn }) => [fn.countAll<number>().as("keys"), fn.max("minute").as("minute")])
    .where("minute", ">", minuteOf(limitMs))
    .executeTakeFirstOrThrow();
  const { accounts, month } = await db
    .selectFrom("account_months")
    .where("is_test", "=", isTest ? 1 : 0)
    .select(({ fn }) => [
      fn.count<number>("account_id").distinct().as("accounts"),
      fn.max("month").as("month"),
    ])
    .where("month", ">", monthOf(limitMs))
    .executeTakeFirstOrThrow();
  if (keys + accounts === 0) return undefined;
  const latestMs = Math.max(
    minute === null ? 0 : minuteStartMs(minute),
    month === null ? 0 : monthStartMs(month),
  );
  return { nowMs, latestMs, keys, accounts };
}
