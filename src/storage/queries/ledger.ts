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
import { asFigures, ledgerLines, ledgerSums, nextLines, usedInMonth } from "./ledgerLines.ts";
import { nextSums } from "./ledgerStep.ts";

/**
 * The ledger as its readers see it.
 * @param now the store's clock, Unix milliseconds
 * @param isTest reads the figures of test keys
 */
export function ledgerQueries(db: Kysely<Tables>, now: StoreClock, isTest = false): LedgerStore {
  return {
    lines: (accountId, fromDay, toDay, after) =>
      nextLines(db, isTest, {
        accountId,
        after: after ?? { day: fromDay, keyId: "", operation: "" },
        toDay,
      }),
    sums: (accountId, fromDay, toDay, by, after, keyIds) =>
      nextSums(db, isTest, {
        accountId,
        after: after ?? { day: fromDay, keyId: "", operation: "" },
        toDay,
        by,
        keyIds,
      }),
    ...traffic(db, isTest),
    ...present(db, now, isTest),
  };
}

/** Sums of all accounts. */
function traffic(db: Kysely<Tables>, isTest: boolean): Pick<LedgerStore, "traffic"> {
  return {
    async traffic(fromDay) {
      const rows = await db
        .selectFrom(ledgerLines(db, isTest))
        .select("day")
        .select(ledgerSums)
        .select(sql<number>`count(distinct account_id)`.as("accounts"))
        .where("day", ">=", fromDay)
        .groupBy("day")
        .orderBy("day")
        .execute();
      return rows.map((row) => ({ day: row.day, accounts: Number(row.accounts), ...asFigures(row) }));
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
      const row = await db
        .selectFrom("account_months")
        .select(["month", "used"])
        .where("is_test", "=", isTest ? 1 : 0)
        .where("account_id", "=", accountId)
        .orderBy("month", "desc")
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const month = presentPeriod(row.month, await now(), monthOf);
      const used = month === row.month ? Number(row.used) : await usedInMonth(db, accountId, month, isTest);
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
      if (Number(keys) + Number(accounts) === 0) return undefined;
      const latestMs = Math.max(
        minute === null ? 0 : minuteStartMs(Number(minute)),
        month === null ? 0 : monthStartMs(Number(month)),
      );
      return { nowMs, latestMs, keys: Number(keys), accounts: Number(accounts) };
    },
  };
}
