import { type AliasedExpression, type Kysely, type SqlBool, sql } from "kysely";
import { type LedgerLine, LINES_IN_A_STEP } from "../../metering/ledger.ts";
import { daysOfMonth } from "../../metering/periods.ts";
import type { Tables } from "../schema/tables.ts";
import { isPostgres } from "./isPostgres.ts";

/**
 * The ledger for its readers: its lines, and as rows of their own the calls that failed. So there may be two rows for a key, day and
 * operation, to be summed. Failed calls of test keys are not counted.
 */
export function ledgerLines(db: Kysely<Tables>, isTest = false) {
  const { filed, failed } = ledgerParts(db, isTest);
  return isTest ? filed.as("ledger") : filed.unionAll(failed).as("ledger");
}

/** The two sources of rows; each has at most one for a key, day and operation. */
export function ledgerParts(db: Kysely<Tables>, isTest: boolean) {
  const filed = db
    .selectFrom("ledger as filed")
    .select(["account_id", "key_id", "day", "operation", "requests", "tokens"])
    .select(["refused_rate", "refused_allowance", "sessions", "session_calls"])
    .select([sql<number>`0`.as("failed_caller"), sql<number>`0`.as("failed_service")])
    .where("is_test", "=", isTest ? 1 : 0);
  const failed = db
    .selectFrom("failed_calls")
    .select(["account_id", "key_id", "day", "operation"])
    .select([sql<number>`0`.as("requests"), sql<number>`0`.as("tokens")])
    .select([sql<number>`0`.as("refused_rate"), sql<number>`0`.as("refused_allowance")])
    .select([sql<number>`0`.as("sessions"), sql<number>`0`.as("session_calls")])
    .select(["failed_caller", "failed_service"]);
  return { filed, failed };
}

/** Which lines are asked for: those of an account up to a day, after one of them. */
export interface AskedLines {
  readonly accountId: string;
  readonly after: { readonly day: string; readonly keyId: string; readonly operation: string };
  readonly toDay: string;
}

/**
 * The next lines of an account, in one statement, so that what moves from one part to another is counted once. Of each part no more rows are read
 * than the lines that are asked for: none of these has more before it there.
 */
export async function nextLines(
  db: Kysely<Tables>,
  isTest: boolean,
  { accountId, after, toDay }: AskedLines,
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
      .limit(LINES_IN_A_STEP);
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
    .limit(LINES_IN_A_STEP)
    .execute();
}

/** The tokens that an account used in a month, by the ledger. */
export async function usedInMonth(
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

export type LedgerRow = Omit<Tables["ledger"], "is_test"> &
  Pick<Tables["failed_calls"], "failed_caller" | "failed_service">;

/** The sum of a column, 0 of no rows. PostgreSQL's own may be of a type that has fractions. */
export function sumOf<Name extends string>(column: keyof LedgerRow, name: Name) {
  return sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`.as(name);
}

/** The sums of all figures of the ledger. */
export const ledgerSums = [
  sumOf("requests", "requests"),
  sumOf("tokens", "tokens"),
  sumOf("refused_rate", "refusedByRate"),
  sumOf("refused_allowance", "refusedByAllowance"),
  sumOf("sessions", "sessions"),
  sumOf("session_calls", "sessionCalls"),
  sumOf("failed_caller", "failedByCaller"),
  sumOf("failed_service", "failedByService"),
] as const;
