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
    ...sums(db, books),
    ...keyUse(db, books),
    ...present(db, now, books),
  };
}

/** Sums of an account, and of all, by what the figures are asked for. */
function sums(db: Kysely<Tables>, books: Books): Pick<LedgerStore, "days" | "months" | "traffic"> {
  const from = (accountId: string, fromDay: string) => linesFrom(db, books, accountId, fromDay);
  return {
    async days(accountId, fromDay, toDay) {
      const rows = await from(accountId, fromDay)
        .select(["day", "operation"])
        .where("day", "<=", toDay)
        .groupBy(["day", "operation"])
        .execute();
      return rows
        .map((row) => ({ day: row.day, operation: row.operation, ...asFigures(row) }))
        .sort((one, other) => (`${one.day} ${one.operation}` < `${other.day} ${other.operation}` ? -1 : 1));
    },

    async months(accountId, fromDay) {
      const month = sql<string>`substr(day, 1, 7)`;
      const rows = await from(accountId, fromDay)
        .select(month.as("month"))
        .groupBy(month)
        .orderBy("month")
        .execute();
      return rows.map((row) => ({ month: row.month, ...asFigures(row) }));
    },

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

/** What single keys of an account did. */
function keyUse(db: Kysely<Tables>, books: Books): Pick<LedgerStore, "keys" | "lastUse"> {
  return {
    async keys(accountId, fromDay, toDay, which) {
      const byKey = linesFrom(db, books, accountId, fromDay)
        .select("key_id")
        .where("day", "<=", toDay)
        .groupBy("key_id");
      if ("keyIds" in which && which.keyIds.length === 0) return [];
      const rows =
        "keyIds" in which
          ? await byKey.where("key_id", "in", which.keyIds).execute()
          : await byKey
              .orderBy(sql`sum(tokens)`, "desc")
              .orderBy(sql`sum(requests)`, "desc")
              .orderBy("key_id")
              .limit(which.most)
              .execute();
      return rows.map((row) => ({ keyId: row.key_id, ...asFigures(row) }));
    },

    async lastUse(accountId, keyIds) {
      if (keyIds.length === 0) return [];
      const rows = await db
        .selectFrom(ledgerLines(db, books))
        .select(["key_id", sql<string>`max(day)`.as("last_day")])
        .where("account_id", "=", accountId)
        .where("key_id", "in", keyIds)
        .where("requests", ">", 0)
        .groupBy("key_id")
        .execute();
      return rows.map((row) => ({ keyId: row.key_id, day: row.last_day }));
    },
  };
}

/** What stands beside the clock: the present month, and what was begun ahead of it. */
function present(
  db: Kysely<Tables>,
  now: StoreClock,
  books: Books,
): Pick<LedgerStore, "spent" | "aheadOfClock"> {
  const monthsOfBooks = sql.table<Tables["account_months"]>(books.months).as("months");
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
        .selectFrom("keys")
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

/** Sums of an account's lines from a day on, to be grouped. */
function linesFrom(db: Kysely<Tables>, books: Books, accountId: string, fromDay: string) {
  return db
    .selectFrom(ledgerLines(db, books))
    .select(ledgerSums)
    .where("account_id", "=", accountId)
    .where("day", ">=", fromDay);
}
