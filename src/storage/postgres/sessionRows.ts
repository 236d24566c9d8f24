import type { SessionReservation } from "../../metering/batchRows.ts";
import type { SessionProgress } from "../../metering/typingSession.ts";
import type { Books } from "../books.ts";
import { columnLiterals } from "./arrayLiterals.ts";
import type { PreparedStatement } from "./statementGroup.ts";

/** A session of typing that a request of the batch names. */
export interface AskedSession {
  readonly keyId: string;
  readonly session: string;
}

type UnderWay = readonly [
  id: string,
  month: number,
  tokens: number,
  expiresAtMs: number,
  spendingDay: number | null,
  beganAtMs: number | null,
];

export interface ReadSession {
  readonly key_id: string;
  readonly session: string;
  /** Null, as followers, for one that was not begun. */
  readonly began_at_ms: number | null;
  readonly followers: number | null;
  /** Null for none. */
  readonly under_way: readonly UnderWay[] | null;
}

/** Sessions of typing, each by its index, and their reservations; one that is asked for twice is read twice. */
export function readSessions(asked: readonly AskedSession[], { reservations }: Books): PreparedStatement {
  return {
    name: `opzoek_sessions_${reservations}`,
    text: `select asked.key_id, asked.session, s.began_at_ms, s.followers, r.under_way
           from unnest($1::text[], $2::text[]) as asked (key_id, session)
           join keys k on k.id = asked.key_id
           left join lateral (
             select began_at_ms, followers from typing_sessions
             where key_id = asked.key_id and session = asked.session limit 1
           ) as s on true
           left join lateral (
             select json_agg(json_build_array(id, month, tokens, expires_at_ms, spending_day, session_began_ms)) as under_way
             from ${reservations}
             where account_id = k.account_id and given_back = 0 and key_id = asked.key_id and session = asked.session
           ) as r on true`,
    values: columnLiterals(asked, ["keyId", "session"]),
  };
}

/** The sessions of a batch. */
export class SessionRows {
  readonly #rows = new Map<string, ReadSession>();

  constructor(rows: readonly ReadSession[]) {
    for (const row of rows) this.#rows.set(`${row.key_id} ${row.session}`, row);
  }

  progress(keyId: string, session: string): SessionProgress | undefined {
    const { began_at_ms: beganAtMs = null, followers = null } = this.#rows.get(`${keyId} ${session}`) ?? {};
    return beganAtMs === null || followers === null ? undefined : { beganAtMs, followers };
  }

  reservations(keyId: string, session: string): readonly SessionReservation[] {
    const underWay = this.#rows.get(`${keyId} ${session}`)?.under_way ?? [];
    return underWay.map(([id, month, tokens, expiresAtMs, spendingDay, beganAtMs]) => {
      return { id, month, tokens, expiresAtMs, spendingDay, beganAtMs };
    });
  }
}
