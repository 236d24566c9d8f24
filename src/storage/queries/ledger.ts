import { type Kysely, sql } from "kysely";
import type { LedgerStore } from "../../metering/ledger.ts";
import {
  MOST_AHEAD_MS,
  minuteOf,
  minuteStartMs,
  monthOf,
  monthStartMs,
  presentPeriod,
} from "../../metering/periods.ts";
import { type Books, LIVE_BOOKS } from "../books.ts";
import type { StoreClock } from "../stateStore.ts";
import type { Tables } from "../tables.ts";
import { asFigures, ledgerLines, ledgerSums, nextLines, usedInMonth } from "./ledgerLines.ts";
import { nextSums } from "./ledgerStep.ts";
import { keyWindows, usedMonths } from "./tabs.ts";

/**
 * The ledger as its readers see it.
 * @param now the store's clock, Unix milliseconds
 * @param hasLocales whether texts are ordered by the locale of the database unless it is told otherwise
 */
export function ledgerQueries(
  db: Kysely<Tables>,
  now: StoreClock,
  { books = LIVE_BOOKS, hasLocales = false }: { readonly books?: Books; readonly hasLocales?: boolean } = {},
): LedgerStore {
  return {
    lines: (accountId, fromDay, toDay, after) =>
      nextLines(db, books, hasLocales, {
        accountId,
        after: after ?? { day: fromDay, keyId: "", operation: "" },
        toDay,
      }),
    sums: (accountId, fromDay, toDay, by, after, keyIds) =>
      nextSums(db, books, {
        accountId,
        after: after ?? { day: fromDay, keyId: "", operation: "" },
        toDay,
        by,
        keyIds,
      }),
    ...traffic(db, books),
    ...present(db, now, books),
  };
}

/** Sums of all accounts. */
function traffic(db: Kysely<Tables>, books: Books): Pick<LedgerStore, "traffic"> {
  return {
    async traffic(fromDay) {
      const rows = await db
        .selectFrom(ledgerLines(db, books))
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
  books: Books,
): Pick<LedgerStore, "spent" | "aheadOfClock"> {
  const monthsOfBooks = usedMonths(db, books);
  return {
    async spent(accountId) {
      const row = await db
        .selectFrom(monthsOfBooks)
        .select(["month", "used"])
        .where("account_id", "=", accountId)
        .orderBy("month", "desc")
        .limit(1)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const month = presentPeriod(row.month, await now(), monthOf);
      const used = month === row.month ? Number(row.used) : await usedInMonth(db, accountId, month, books);
      return { month, used };
    },

    async aheadOfClock() {
      const nowMs = await now();
      const limitMs = nowMs + MOST_AHEAD_MS;
      const { keys, minute } = await db
        .selectFrom(keyWindows(db))
        .select(({ fn }) => [fn.countAll<number>().as("keys"), fn.max("minute").as("minute")])
        .where("minute", ">", minuteOf(limitMs))
        .executeTakeFirstOrThrow();
      const { accounts, month } = await db
        .selectFrom(monthsOfBooks)
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
