import type { KeptTotals, StoredKept } from "../../metering/batchRows.ts";
import type { ChargeRequest } from "../../metering/store.ts";
import type { Books } from "../books.ts";
import { namesIn } from "../queries/kept.ts";
import { arrayLiteral, columnLiterals } from "./arrayLiterals.ts";
import { NOW_MS } from "./commitOutcome.ts";
import type { PreparedStatement } from "./statementGroup.ts";

/** A request that is known again: its key, and its id within the key's account. */
interface Known {
  readonly keyId: string;
  readonly id: string;
}

/** The requests of a batch that are known again; few batches have any. */
export function knownIn(requests: readonly ChargeRequest[]): readonly Known[] {
  return requests.flatMap((request) =>
    "keep" in request && request.keep !== undefined ? [{ keyId: request.keyId, id: request.keep.id }] : [],
  );
}

interface ReadKept {
  readonly account_id: string;
  readonly id: string;
  readonly request_hash: string | null;
  readonly status: number | null;
  readonly names: string | null;
  readonly answer: string | null;
  readonly expires_at_ms: number | null;
  readonly reservation_id: string | null;
  readonly mark_hash: string | null;
  readonly mark_expires_at_ms: number | null;
}

/** What is kept, and what is under way, under ids: read after the locks are held, as {@link readKeys} is. */
export function readKept(known: readonly Known[], { reservations }: Books): PreparedStatement {
  return {
    name: `opzoek_kept_beside_${reservations}`,
    text: `select k.account_id, asked.id, a.request_hash, a.status, a.names, a.answer, a.expires_at_ms,
                  r.id as reservation_id, r.request_hash as mark_hash, r.expires_at_ms as mark_expires_at_ms
           from unnest($1::text[], $2::text[]) as asked (key_id, id)
           join keys k on k.id = asked.key_id
           left join kept_answers a on a.account_id = k.account_id and a.id = asked.id
           left join lateral (
             select id, request_hash, expires_at_ms from ${reservations}
             where account_id = k.account_id and given_back = 0 and keep_id = asked.id
             order by expires_at_ms desc limit 1
           ) r on true`,
    values: columnLiterals(known, ["keyId", "id"]),
  };
}

interface ReadTotals {
  /** Null in the row that tells the bytes of all accounts. */
  readonly account_id: string | null;
  readonly answers: number;
  readonly bytes: number;
}

/** What is kept for the accounts of keys, and, where that is wanted, for all. */
export function readKeptTotals(
  known: readonly Known[],
  isOfAll: boolean,
  testNowMs: number | undefined,
): PreparedStatement {
  return {
    name: "opzoek_kept_totals",
    text: `with moment as (select coalesce($2::bigint, ${NOW_MS}) as now_ms)
           select t.account_id, sum(t.answers)::bigint as answers, sum(t.bytes)::bigint as bytes
           from moment join kept_totals t on t.ends_at_ms > moment.now_ms
           where t.account_id in (select account_id from keys where id = any($1::text[]))
           group by t.account_id
           union all
           select null, 0, coalesce(sum(t.bytes), 0)::bigint
           from moment join kept_totals t on t.ends_at_ms > moment.now_ms
           where $3::integer = 1 having $3::integer = 1`,
    values: [arrayLiteral([...new Set(known.map(({ keyId }) => keyId))]), testNowMs ?? null, isOfAll ? 1 : 0],
  };
}

const SUM_UP_EVERY_MS = 60_000;

/** The bytes that are kept for all accounts, added up once a minute: too much to be done for every call. */
export class KeptOfAll {
  bytes = 0;
  #addedUpAtMs = Number.NEGATIVE_INFINITY;

  get isOld(): boolean {
    return performance.now() - this.#addedUpAtMs >= SUM_UP_EVERY_MS;
  }

  learn(bytes: number): void {
    this.bytes = bytes;
    this.#addedUpAtMs = performance.now();
  }
}

/** What is kept under the ids of a batch. */
export class KeptRows {
  readonly bytesOfAll: number;
  readonly #kept = new Map<string, StoredKept>();
  readonly #totals = new Map<string, KeptTotals>();

  constructor(kept: readonly ReadKept[], totals: readonly ReadTotals[], ofAll: KeptOfAll) {
    for (const row of kept) this.#kept.set(`${row.account_id} ${row.id}`, asKept(row));
    for (const { account_id: accountId, answers, bytes } of totals) {
      if (accountId !== null) this.#totals.set(accountId, { answers, bytes });
      else if (ofAll.isOld) ofAll.learn(bytes);
    }
    this.bytesOfAll = ofAll.bytes;
  }

  kept(accountId: string, id: string): StoredKept | undefined {
    return this.#kept.get(`${accountId} ${id}`);
  }

  totals(accountId: string): KeptTotals {
    return this.#totals.get(accountId) ?? { answers: 0, bytes: 0 };
  }
}

function asKept(row: ReadKept): StoredKept {
  return {
    ...(row.answer !== null && {
      answer: {
        requestHash: row.request_hash ?? "",
        status: row.status ?? 0,
        names: namesIn(row.names ?? "[]"),
        text: row.answer,
        expiresAtMs: row.expires_at_ms ?? 0,
      },
    }),
    ...(row.reservation_id !== null && {
      mark: {
        reservationId: row.reservation_id,
        requestHash: row.mark_hash ?? "",
        expiresAtMs: row.mark_expires_at_ms ?? 0,
      },
    }),
  };
}
