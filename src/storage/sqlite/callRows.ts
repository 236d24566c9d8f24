import { sql } from "kysely";
import type { CallRows } from "../queries/calls.ts";

/** Calls as rows, by one text of JSON. */
export const callRows: CallRows = (calls) => {
  const text = JSON.stringify(
    calls.map(({ atMs, requestId, keyId, operation, status, code = null, tokens, durationUs }) => [
      atMs,
      requestId,
      keyId,
      operation,
      status,
      code,
      tokens,
      durationUs,
    ]),
  );
  return sql`(
    select value->>0 as at_ms, value->>1 as request_id, value->>2 as key_id, value->>3 as operation,
           value->>4 as status, value->>5 as code, value->>6 as tokens, value->>7 as duration_us
    from json_each(${text})
  )`;
};
