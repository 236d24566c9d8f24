import { type AliasedExpression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import { type Figures, type LedgerLine, LINES_IN_A_STEP } from "../../metering/ledger.ts";
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
  const rows = await db
    .selectFrom(all.as("ledger"))
    .select(["key_id", "day", "operation"])
    .select(ledgerSums)
    .groupBy(["key_id", "day", "operation"])
    .orderBy(sql.join(order))
    .limit(LINES_IN_A_STEP)
    .execute();
  return rows.map((row) => ({
    keyId: row.key_id,
    day: row.day,
    operation: row.operation,
    ...asFigures(row),
  }));
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
    .select((select) => select.fn.sum<number | string | null>("tokens").as("used"))
    .where("account_id", "=", accountId)
    .where("day", ">=", first)
    .where("day", "<=", last)
    .executeTakeFirstOrThrow();
  return Number(used ?? 0);
}

type LineId = "account_id" | "key_id" | "day" | "operation";
export type LedgerRow = Omit<Tables["ledger"], "is_test"> &
  Pick<Tables["failed_calls"], "failed_caller" | "failed_service">;

/** The sums of the ledger's figures, for {@link asFigures}: a database may answer them as text. */
export function ledgerSums({ fn }: ExpressionBuilder<{ ledger: LedgerRow }, "ledger">) {
  return [
    fn.sum<number | string>("requests").as("requests"),
    fn.sum<number | string>("tokens").as("tokens"),
    fn.sum<number | string>("refused_rate").as("refused_rate"),
    fn.sum<number | string>("refused_allowance").as("refused_allowance"),
    fn.sum<number | string>("sessions").as("sessions"),
    fn.sum<number | string>("session_calls").as("session_calls"),
    fn.sum<number | string>("failed_caller").as("failed_caller"),
    fn.sum<number | string>("failed_service").as("failed_service"),
  ] as const;
}

export function asFigures(row: Readonly<Record<Exclude<keyof LedgerRow, LineId>, unknown>>): Figures {
  return {
    requests: Number(row.requests),
    tokens: Number(row.tokens),
    refusedByRate: Number(row.refused_rate),
    refusedByAllowance: Number(row.refused_allowance),
    sessions: Number(row.sessions),
    sessionCalls: Number(row.session_calls),
    failedByCaller: Number(row.failed_caller),
    failedByService: Number(row.failed_service),
  };
}
