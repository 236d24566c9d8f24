/** Publications whose cases must be fetched. */
import { sql, type Transaction } from "kysely";
import { rowsOf } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import { inParts } from "./stored.ts";

const DUE_COLUMNS = "publication text, is_removed integer isRemoved";

export const dueAfter = (publication: string, limit: number) =>
  sql`and publication > ${publication} order by publication limit ${limit}`;

/** Adds publications whose cases must be fetched. */
export async function putDue(
  transaction: Transaction<Tables>,
  publications: readonly string[],
  isRemoved: 0 | 1,
): Promise<void> {
  for (const some of inParts([...new Set(publications)])) {
    const rows = some.map((publication) => ({ publication, isRemoved }));
    await sql`insert into court_due (publication, is_removed)
      select publication, is_removed from ${rowsOf(transaction, rows, "d", DUE_COLUMNS)} where true
      on conflict (publication) do update set is_removed = excluded.is_removed`.execute(transaction);
  }
}
