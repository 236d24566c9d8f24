import { type AliasedExpression, type Kysely, type SqlBool, sql } from "kysely";
import { aheadOfClock, type FutureRecords } from "../../database/aheadOfClock.ts";
import type { StoreClock } from "../../database/clock.ts";
import { type LedgerRow, ledgerLines, ledgerParts, sumOf } from "../../database/ledgerLines.ts";
import { findRow, isPostgres } from "../../database/rows.ts";
import type { Tables } from "../../database/schema/tables.ts";
import { daysOfMonth, monthOf, presentPeriod } from "../../lib/periods.ts";
import {
  type Figures,
  type LedgerLine,
  type LedgerLineId,
  type LedgerSum,
  type LedgerSums,
  LINES_PER_STEP,
  LINES_PER_SUM,
  type SummedBy,
} from "../ledger.ts";

/**
 * The ledger for its readers.
 * @param now the store's clock, Unix milliseconds
 * @param isTest reads the figures of test keys
 */
export function ledgerQueries(db: Kysely<Tables>, now: StoreClock, isTest = false) {
  const before = (day: string): LedgerLineRange["after"] => ({ day, keyId: "", operation: "" });
  return {
    /**
     * Returns at most {@link LINES_PER_STEP} lines of an account after `after`, ordered by day, key and operation (code
     * points); fewer if none are left. `ledgerReads.ts` reads all.
     */
    lines: (
      accountId: string,
      fromDay: string,
      toDay: string,
      after?: LedgerLineId,
    ): Promise<readonly LedgerLine[]> =>
      nextLines(db, isTest, { accountId, after: after ?? before(fromDay), toDay }),
    /**
     * Returns sums over at most {@link LINES_PER_SUM} lines of an account after `after`, unordered. `ledgerReads.ts`
     * reads all.
     * @param keyIds only these keys
     */
    sums: (
      accountId: string,
      fromDay: string,
      toDay: string,
      by: SummedBy,
      after?: LedgerLineId,
      keyIds?: readonly string[],
    ): Promise<LedgerSums> =>
      nextSums(db, isTest, { accountId, after: after ?? before(fromDay), toDay, by, keyIds }),
    ...present(db, now, isTest),

    /** Returns sums of all accounts by day, in order; days without a line are absent. */
    async traffic(
      fromDay: string,
    ): Promise<readonly (Figures & { readonly day: string; readonly accounts: number })[]> {
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

/** The current month, and rows ahead of the clock. */
function present(db: Kysely<Tables>, now: StoreClock, isTest: boolean) {
  return {
    /**
     * Returns the tokens that an account has spent in its current month, with the clock and the rows that decisions
     * use; `undefined` before its first decision.
     */
    async spent(accountId: string): Promise<{ readonly month: number; readonly used: number } | undefined> {
      const own = { account_id: accountId, is_test: isTest ? 1 : 0 };
      const row = await findRow(db, "account_months", own, sql`order by month desc limit 1`);
      if (row === undefined) return undefined;
      const month = presentPeriod(row.month, await now(), monthOf);
      const used = month === row.month ? row.used : await usedInMonth(db, accountId, month, isTest);
      return { month, used };
    },

    /**
     * Returns the periods ahead of the store's clock, which the next calls correct; `undefined` if there are none.
     * Scans all rows.
     */
    aheadOfClock: async (): Promise<FutureRecords | undefined> => aheadOfClock(db, await now(), isTest),
  };
}

/** The lines of an account up to a day, after one of them. */
export interface LedgerLineRange {
  readonly accountId: string;
  readonly after: { readonly day: string; readonly keyId: string; readonly operation: string };
  readonly toDay: string;
}

/**
 * The next lines of an account, in one statement, so that rows that move between the parts are counted once. Each part
 * reads at most as many rows as requested, because no requested line has more before it there.
 */
async function nextLines(
  db: Kysely<Tables>,
  isTest: boolean,
  { accountId, after, toDay }: LedgerLineRange,
): Promise<LedgerLine[]> {
  const byBytes = isPostgres(db) ? sql` collate "C"` : sql``;
  const order = [sql`day`, sql`key_id${byBytes}`, sql`operation${byBytes}`];
  const { filed, failed } = ledgerParts(db, isTest);
  const next = (part: AliasedExpression<LedgerRow, "part">) => {
    const rows = db
      .selectFrom(part)
      .selectAll()
      .where("account_id", "=", accountId)
      .where("day", "<=", toDay)
      .where(sql<SqlBool>`(${sql.join(order)}) > (${after.day}, ${after.keyId}, ${after.operation})`)
      .orderBy(sql.join(order))
      .limit(LINES_PER_STEP);
    return db.selectFrom(rows.as("next")).selectAll();
  };
  const ofLedger = next(filed.as("part"));
  const all = isTest ? ofLedger : ofLedger.unionAll(next(failed.as("part")));
  return db
    .selectFrom(all.as("ledger"))
    .select(["key_id as keyId", "day", "operation"])
    .select(ledgerSums)
    .groupBy(["key_id", "day", "operation"])
    .orderBy(sql.join(order))
    .limit(LINES_PER_STEP)
    .execute();
}

/** The tokens that an account used in a month, by the ledger. */
async function usedInMonth(
  db: Kysely<Tables>,
  accountId: string,
  month: number,
  isTest: boolean,
): Promise<number> {
  const { first, last } = daysOfMonth(month);
  const { used } = await db
    .selectFrom(ledgerLines(db, isTest))
    .select(sumOf("tokens", "used"))
    .where("account_id", "=", accountId)
    .where("day", ">=", first)
    .where("day", "<=", last)
    .executeTakeFirstOrThrow();
  return used;
}

const ledgerSums = [
  sumOf("requests", "requests"),
  sumOf("tokens", "tokens"),
  sumOf("refused_rate", "refusedByRate"),
  sumOf("refused_allowance", "refusedByAllowance"),
  sumOf("sessions", "sessions"),
  sumOf("session_calls", "sessionCalls"),
  sumOf("failed_caller", "failedByCaller"),
  sumOf("failed_service", "failedByService"),
] as const;

const LINE = sql`day, key_id, operation`;
const NAMES = {
  day: sql<string>`day`,
  month: sql<string>`substr(day, 1, 7)`,
  key: sql<string>`key_id`,
} as const;

type SumRow = Omit<LedgerSum, "lastDay"> & { readonly lastDay: string | null };

interface RequestedSums extends LedgerLineRange {
  readonly by: SummedBy;
  readonly keyIds: readonly string[] | undefined;
}

/**
 * Sums of the next lines of an account. Their last line is determined first. Rows counted between the two statements
 * are in the sum of their line or come with a later step, so nothing is counted twice. Lines are in the order of the
 * database's own index, whatever its locale.
 */
async function nextSums(
  db: Kysely<Tables>,
  isTest: boolean,
  { accountId, after, toDay, by, keyIds }: RequestedSums,
): Promise<LedgerSums> {
  const next = await lastOfStep(db, isTest, { accountId, after, toDay });
  const name = NAMES[by];
  const summed = db
    .selectFrom(ledgerLines(db, isTest))
    .select(name.as("group"))
    .select(ledgerSums)
    .select(sql<string | null>`max(case when requests > 0 then day end)`.as("lastDay"))
    .where("account_id", "=", accountId)
    .where(isAfter(after))
    // A single bound: with two, SQLite would seek by day and read all of that day in each step.
    .where(
      next === undefined
        ? sql<SqlBool>`day <= ${toDay}`
        : sql<SqlBool>`(${LINE}) <= (${next.day}, ${next.keyId}, ${next.operation})`,
    )
    .$if(keyIds !== undefined, (lines) => lines.where("key_id", "in", keyIds ?? []))
    .groupBy(name);
  const rows: readonly SumRow[] =
    by === "day" ? await summed.select("operation").groupBy("operation").execute() : await summed.execute();
  const sums = rows.map(({ lastDay, ...sum }): LedgerSum => (lastDay === null ? sum : { ...sum, lastDay }));
  return { sums, ...(next !== undefined && { next }) };
}

/** The last line of a step; undefined if fewer are left. */
async function lastOfStep(
  db: Kysely<Tables>,
  isTest: boolean,
  { accountId, after, toDay }: LedgerLineRange,
): Promise<LedgerLineId | undefined> {
  const { filed, failed } = ledgerParts(db, isTest);
  const last = (part: AliasedExpression<LedgerRow, "part">) => {
    const line = db
      .selectFrom(part)
      .select(["day", "key_id as keyId", "operation"])
      .where("account_id", "=", accountId)
      .where("day", "<=", toDay)
      .where(isAfter(after))
      .orderBy(LINE)
      .limit(1)
      .offset(LINES_PER_SUM - 1);
    return db.selectFrom(line.as("last")).selectAll();
  };
  const ofLedger = last(filed.as("part"));
  const lasts = isTest ? ofLedger : ofLedger.unionAll(last(failed.as("part")));
  return db
    .selectFrom(lasts.as("lasts"))
    .selectAll()
    .orderBy("day")
    .orderBy("keyId")
    .orderBy("operation")
    .limit(1)
    .executeTakeFirst();
}

function isAfter({ day, keyId, operation }: LedgerLineRange["after"]) {
  return sql<SqlBool>`(${LINE}) > (${day}, ${keyId}, ${operation})`;
}

export type LedgerQueries = ReturnType<typeof ledgerQueries>;
