import { type Kysely, sql, type Transaction } from "kysely";
import type { KvkNumber } from "../contract/numbers.ts";
import { isPostgres } from "./rows.ts";
import type { Tables } from "./schema/tables.ts";

/**
 * Blocks changes of the suppression list until the end of the transaction, so that it adds nothing about a company that
 * is being suppressed. Call it before the list is read.
 */
export async function shareSuppressions(transaction: Transaction<Tables>): Promise<void> {
  if (isPostgres(transaction)) await sql`lock table forgotten in row exclusive mode`.execute(transaction);
}

/** The suppressed companies among those given. */
export async function suppressedAmong(
  db: Kysely<Tables>,
  kvkNumbers: readonly KvkNumber[],
): Promise<ReadonlySet<string>> {
  if (kvkNumbers.length === 0) return new Set();
  const rows = await db
    .selectFrom("forgotten")
    .select("kvk_number")
    .where("kvk_number", "in", [...new Set(kvkNumbers)])
    .execute();
  return new Set(rows.map(({ kvk_number }) => kvk_number));
}
