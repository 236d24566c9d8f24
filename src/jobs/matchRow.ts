import type { ErrorCode } from "../contract/errors.ts";
import { MATCH_BOUNDS } from "../contract/matchResources.ts";
import { known } from "../lib/values.ts";
import { readQuery } from "../match/readQuery.ts";
import type { RowQuery } from "../match/rowQueries.ts";
import type { NotedQuery } from "../match/types.ts";

/** The place of a row in its list, from 1 and without the header, and the caller's id of it. */
export interface RowPlace {
  readonly row: number;
  readonly id?: string;
}

/** A row of a list to match: a query, or the reason why it is none. */
export type MatchRow = RowPlace &
  (
    | { readonly query: NotedQuery }
    | { readonly error: { readonly code: ErrorCode; readonly message: string } }
  );

/** Returns a row in its stored form. */
export function packRow(row: MatchRow): string {
  return JSON.stringify(row);
}

export function unpackRow(text: string): MatchRow {
  return JSON.parse(text) as MatchRow;
}

/** Checks a row. One without a valid query gets an error, and is free. */
export function checkRow(row: number, { id, sent }: RowQuery): MatchRow {
  if (id !== undefined && id.length > MATCH_BOUNDS.fieldLength)
    return invalidRow(row, `the id of a row must have at most ${MATCH_BOUNDS.fieldLength} characters`);
  const place = { row, ...known("id", id) };
  const read = readQuery(sent);
  return "message" in read ? { ...place, error: read } : { ...place, query: read };
}

export function invalidRow(row: number, message: string): MatchRow {
  return { row, error: { code: "INVALID_REQUEST", message } };
}
