/** What an account has so much of that nobody could wait for it to be deleted at once. */
import { type Kysely, sql } from "kysely";
import type { Tables } from "../schema/tables.ts";

/** Rows and bytes that one step deletes at most, but for a single row that is larger: some milliseconds of the state. */
export const STEP_BOUNDS = { rows: 200, bytes: 512 * 1024 } as const;

export type SteppedTable = "kept_answers" | "job_results" | "job_blocks";

/** Of whom or what rows are, what tells them apart there, and the text that is large. */
const SHAPES = {
  kept_answers: { of: "account_id", key: "id", text: "answer" },
  job_results: { of: "job_id", key: "step", text: "lines" },
  job_blocks: { of: "job_id", key: "block", text: "numbers" },
} as const satisfies Readonly<
  Record<SteppedTable, { readonly of: string; readonly key: string; readonly text: string }>
>;
export const STEPPED_TABLES = Object.keys(SHAPES) as readonly SteppedTable[];

/**
 * Deletes some of the kept answers of an account, or of what a list holds.
 * @returns whether there were any; false only where nothing is left
 */
export async function deleteSome(db: Kysely<Tables>, table: SteppedTable, id: string): Promise<boolean> {
  const { of, key, text } = SHAPES[table];
  // One column alone is looked for: SQLite tries every pair of two that it is given rows of.
  const { rows } = await sql`
    delete from ${sql.table(table)} where ${sql.ref(of)} = ${id} and ${sql.ref(key)} in (
      select ${sql.ref(key)} from (
        select ${sql.ref(key)}, bytes, sum(bytes) over (order by ${sql.ref(key)}) as bytes_so_far from (
          select ${sql.ref(key)}, octet_length(${sql.ref(text)}) as bytes from ${sql.table(table)}
          where ${sql.ref(of)} = ${id} limit ${STEP_BOUNDS.rows}
        ) as first_rows
      ) as summed where bytes_so_far - bytes < ${STEP_BOUNDS.bytes}
    ) returning ${sql.ref(key)}`.execute(db);
  if (rows.length > 0) return true;
  // Those that were looked for may have been deleted by another node, for whose end this one waited: there may be more.
  const left = await sql`
    select 1 from ${sql.table(table)} where ${sql.ref(of)} = ${id} limit 1`.execute(db);
  return left.rows.length > 0;
}
