import { type AliasedExpression, type Kysely, type SqlBool, sql } from "kysely";
import {
  type LedgerLineId,
  type LedgerSum,
  type LedgerSums,
  LINES_IN_A_SUM,
  type SummedBy,
} from "../../metering/ledger.ts";
import type { Tables } from "../schema/tables.ts";
import { type AskedLines, type LedgerRow, ledgerLines, ledgerParts, ledgerSums } from "./ledgerLines.ts";

const LINE = sql`day, key_id, operation`;
const NAMES = {
  day: sql<string>`day`,
  month: sql<string>`substr(day, 1, 7)`,
  key: sql<string>`key_id`,
} as const;

type SumRow = Omit<LedgerSum, "lastDay"> & { readonly lastDay: string | null };

interface AskedSums extends AskedLines {
  readonly by: SummedBy;
  readonly keyIds: readonly string[] | undefined;
}

/**
 * Sums of the next lines of an account. The line that they go to is looked for first; what is counted between the two statements is in the sum of the line that
 * it is counted on, or comes with a later step, and so is none twice. Lines are in the order of the database's own index, whatever its locale.
 */
export async function nextSums(
  db: Kysely<Tables>,
  isTest: boolean,
  { accountId, after, toDay, by, keyIds }: AskedSums,
): Promise<LedgerSums> {
  const next = await lastOfStep(db, isTest, { accountId, after, toDay });
  const name = NAMES[by];
  const summed = db
    .selectFrom(ledgerLines(db, isTest))
    .select(name.as("of"))
    .select(ledgerSums)
    .select(sql<string | null>`max(case when requests > 0 then day end)`.as("lastDay"))
    .where("account_id", "=", accountId)
    .where(isAfter(after))
    // One bound alone: of two SQLite would seek by the day, and read all of it with each step.
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

/** The last line of a step; undefined where fewer are left. */
async function lastOfStep(
  db: Kysely<Tables>,
  isTest: boolean,
  { accountId, after, toDay }: AskedLines,
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
      .offset(LINES_IN_A_SUM - 1);
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

function isAfter({ day, keyId, operation }: AskedLines["after"]) {
  return sql<SqlBool>`(${LINE}) > (${day}, ${keyId}, ${operation})`;
}
