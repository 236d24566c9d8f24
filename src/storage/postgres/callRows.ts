import { sql } from "kysely";
import type { CallRows } from "../queries/calls.ts";
import { columnLiterals } from "./arrayLiterals.ts";

/** Calls as rows, by a list for each column. */
export const callRows: CallRows = (calls) => {
  const rows = calls.map((call) => ({ ...call, code: call.code ?? null }));
  const [atMs, requestIds, keyIds, operations] = columnLiterals(rows, [
    "atMs",
    "requestId",
    "keyId",
    "operation",
  ]);
  const [statuses, codes, tokens, durations] = columnLiterals(rows, [
    "status",
    "code",
    "tokens",
    "durationUs",
  ]);
  return sql`(
    select * from unnest(${atMs}::bigint[], ${requestIds}::text[], ${keyIds}::text[], ${operations}::text[],
                         ${statuses}::integer[], ${codes}::text[], ${tokens}::bigint[], ${durations}::bigint[])
      as listed (at_ms, request_id, key_id, operation, status, code, tokens, duration_us)
  )`;
};
