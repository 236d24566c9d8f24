import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import { csvRows } from "./csv.ts";
import { allowedLines, asLines, linesIn } from "./resultLine.ts";
import type { JobStore } from "./store.ts";

const STALE_AT_ONCE = 20;

export interface RenewingParts {
  readonly store: Pick<JobStore, "staleResults" | "renewResults">;
  readonly suppressed: Suppressed;
}

/**
 * Holds some results against the suppression list that were held against an older one.
 * @param listId of this list alone
 * @returns whether there may be more
 */
export async function renewStale(
  { store, suppressed }: RenewingParts,
  mark: string,
  listId?: string,
): Promise<boolean> {
  const stale = await store.staleResults(mark, STALE_AT_ONCE, listId);
  for (const { jobId, kind, step, lines: text } of stale) {
    const results = allowedLines(kind, linesIn(text), suppressed);
    const lines = asLines(results);
    const csvBytes = Buffer.byteLength(csvRows(kind, results));
    await store.renewResults({ jobId, step, lines, jsonlBytes: Buffer.byteLength(lines), csvBytes, mark });
  }
  return stale.length === STALE_AT_ONCE;
}
