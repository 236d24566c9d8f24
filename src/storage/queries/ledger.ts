import { type Kysely, sql } from "kysely";
import type { LedgerStore } from "../../metering/ledger.ts";
import {
  MAX_AHEAD_MS,
  minuteOf,
  minuteStartMs,
  monthOf,
  monthStartMs,
  presentPeriod,
} from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import type { StoreClock } from "../stateStore.ts";
import { type AskedLines, ledgerLines, ledgerSums, nextLines, usedInMonth } from "./ledgerLines.ts";
import { nextSums } from "./ledgerStep.ts";
import { findRow } from "./rows.ts";

/**
 * The ledger as its readers see it.
 * @param now the store's clock, Unix milliseconds
 * @param isTest reads the figures of test keys
 */
export function ledgerQueries(db: Kysely<Tables>, now: StoreClock, isTest = false): LedgerStore {
  const before = (day: string): AskedLines["after"] => ({ day, keyId: "", operation: "" });
  return {
    lines: (accountId, fromDay, toDay, after) =>
      nextLines(db, isTest, { accountId, after: after ?? before(fromDay), toDay }),
    sums: (accountId, fromDay, toDay, by, after, keyIds) =>
      nextSums(db, isTest, { accountId, after: after ?? before(fromDay), toDay, by, keyIds }),
    ...present(db, now, isTest),

    async traffic(fromDay) {
      return db
        .selectFrom(ledgerLines(db, isTest))
        .select("day")
        .select(ledgerSums)
        .select(sql<number>`count(distinct account_id)`.as("accounts"))
        .where("day", ">=", fromDay)
        .groupBy("day")
        .orderBy("day")
        .execute();
    },
  };
}

/** What stands beside the clock: the present month, and what was begun ahead of it. */
function present(
  db: Kysely<Tables>,
  now: StoreClock,
  isTest: boolean,
): Pick<LedgerStore, "spent" | "aheadOfClock"> {
  return {
    async spent(accountId) {
      const own = { account_id: accountId, is_test: isTest ? 1 : 0 };
      const row = await findRow(db, "account_months", own, sql`order by month desc limit 1`);
      if (row === undefined) return undefined;
      const month = presentPeriod(row.month, await now(), monthOf);
      const used = month === row.month ? row.used : await usedInMonth(db, accountId, month, isTest);
      return { month, used };
    },

    async aheadOfClock() {
      const nowMs = await now();
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
    },
  };
}
