import { type AliasedExpression, type Kysely, type SqlBool, sql } from "kysely";
import { daysOfMonth, monthOf, presentPeriod } from "../../lib/periods.ts";
import {
  type LedgerLine,
  type LedgerLineId,
  type LedgerStore,
  type LedgerSum,
  type LedgerSums,
  LINES_PER_STEP,
  LINES_PER_SUM,
  type SummedBy,
} from "../../metering/ledger.ts";
import { aheadOfClock } from "../aheadOfClock.ts";
import type { StoreClock } from "../clock.ts";
import { type LedgerRow, ledgerLines, ledgerParts, sumOf } from "../ledgerLines.ts";
import { findRow, isPostgres } from "../rows.ts";
import type { Tables } from "../schema/tables.ts";

/**
 * The ledger for its readers.
 * @param now the store's clock, Unix milliseconds
 * @param isTest reads the figures of test keys
 */
export function ledgerQueries(db: Kysely<Tables>, now: StoreClock, isTest = false): LedgerStore {
  const before = (day: string): LedgerLineRange["after"] => ({ day, keyId: "", operation: "" });
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

/** The current month, and rows ahead of the clock. */
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

    aheadOfClock: async () => aheadOfClock(db, await now(), isTest),
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
 * Sums of the next lines of an account. Their last line is determined first. Rows counted between the two statements are
 * in the sum of their line or come with a later step, so nothing is counted twice. Lines are in the order of the database's
 * own index, whatever its locale.
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
