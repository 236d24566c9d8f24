/** The rows of the replica, and the companies whose cases must not be stored. */
import { sql, type Transaction } from "kysely";
import type { KvkNumber } from "../contract/numbers.ts";
import { deleteRows, findRows, type Row, updateRows } from "../database/rows.ts";
import type { Tables } from "../database/schema/tables.ts";
import type { CourtCase } from "./types.ts";

/** The key of the only row of `court_replica`. */
export const REPLICA_ID = 1;
/** Rows of one statement: some milliseconds. */
export const MAX_ROWS = 1_000;

/** How far the replica is. */
export interface CourtProgress {
  readonly version: number;
  readonly modifiedFrom: string;
  readonly removedFrom: string;
  readonly needsRemovals: boolean;
  readonly loadMs: number;
  readonly completeAtMs: number;
  readonly held: readonly string[];
}

export interface StoredCase {
  readonly listMs: number;
  readonly found: CourtCase;
}

/** Before the first load. */
export const EMPTY: Row<"court_replica"> = {
  id: REPLICA_ID,
  version: 0,
  modified_from: "",
  removed_from: "",
  needs_removals: 0,
  load_ms: 0,
  complete_at_ms: 0,
  held: "[]",
};
export function caseOf({ data }: Row<"court_cases">): CourtCase {
  const stored: CourtCase = JSON.parse(data);
  return stored;
}

export function* inParts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += MAX_ROWS) yield items.slice(start, start + MAX_ROWS);
}

/** Deletes the cases of a company that is now suppressed; a case of several companies loses its number. */
export async function forgetCases(transaction: Transaction<Tables>, kvkNumber: KvkNumber): Promise<void> {
  const rows = await findRows(transaction, "court_cases", {}, sql`and data like ${`%"${kvkNumber}"%`}`);
  for (const row of rows) {
    const found = caseOf(row);
    const kvkNumbers = found.kvkNumbers.filter((one) => one !== kvkNumber);
    if (kvkNumbers.length === found.kvkNumbers.length) continue;
    const { id } = row;
    if (kvkNumbers.length === 0) await deleteRows(transaction, "court_cases", { id });
    else
      await updateRows(
        transaction,
        "court_cases",
        { id },
        { data: JSON.stringify({ ...found, kvkNumbers }) },
      );
  }
  await deleteRows(transaction, "court_numbers", { kvk_number: kvkNumber });
  await updateRows(transaction, "court_replica", { id: REPLICA_ID }, { version: sql`version + 1` });
}

/** After a company is allowed again: its cases are missing until every case has been loaded again. */
export async function missCases(transaction: Transaction<Tables>): Promise<void> {
  await updateRows(
    transaction,
    "court_replica",
    { id: REPLICA_ID },
    { modified_from: "", version: sql`version + 1` },
  );
}
