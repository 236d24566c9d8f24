import { columnLiterals } from "./arrayLiterals.ts";
import type { PreparedStatement } from "./statementGroup.ts";

/** A session of typing that a request of the batch names. */
export interface AskedSession {
  readonly keyId: string;
  readonly session: string;
}

export interface ReadSession {
  readonly key_id: string;
  readonly session: string;
  readonly began_at_ms: number;
  readonly followers: number;
}

/** Sessions of typing, each by its index; one that is asked for twice is read twice. */
export function readSessions(asked: readonly AskedSession[]): PreparedStatement {
  return {
    name: "opzoek_sessions",
    text: `select asked.key_id, asked.session, s.began_at_ms, s.followers
           from unnest($1::text[], $2::text[]) as asked (key_id, session)
           cross join lateral (
             select began_at_ms, followers from typing_sessions
             where key_id = asked.key_id and session = asked.session limit 1
           ) as s`,
    values: columnLiterals(asked, ["keyId", "session"]),
  };
}
