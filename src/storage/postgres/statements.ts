import type { QueryConfig } from "pg";
import type { BatchChanges } from "../../metering/batchRows.ts";
import { daysOfMonth } from "../../metering/periods.ts";
import { KEEP_BATCH_IDS_MS, NOW_MS } from "./commitOutcome.ts";
import { columns, listOf } from "./lists.ts";

// The statements of the hot path: prepared by name once on each connection, lists as arrays, so that each runs once for
// a batch of any size. Nothing here calls a function of ours in the database, and all rows of a batch hang on account
// ids: what the engines that speak PostgreSQL's protocol need to run it.

/** The time in parameter 2, which tests set, or that of the database. */
const MOMENT = `coalesce($2::bigint, ${NOW_MS})`;

export interface LockedAccount {
  readonly id: string;
  readonly tier: string;
  readonly suspended: number;
}

/**
 * Locks accounts in the order of their ids whoever asks, so that two batches cannot wait for each other. Whoever holds an
 * account's lock alone writes its months, reservations, ledger and its keys' windows. Not `for update`: that would also
 * stop rows that only refer to the account.
 */
export function lockAccounts(accountIds: readonly string[]): QueryConfig {
  return {
    name: "opzoek_lock",
    text: `select id, tier, suspended from accounts where id = any($1::text[]) order by id for no key update`,
    values: [listOf(accountIds)],
  };
}

/** The same for what needs nothing of the rows: they need not travel. */
export function holdAccounts(accountIds: readonly string[]): QueryConfig {
  return {
    name: "opzoek_hold",
    text: `select count(*) from (
             select from accounts where id = any($1::text[]) order by id for no key update
           ) as held`,
    values: [listOf(accountIds)],
  };
}

/** The same as {@link lockAccounts} for the accounts of keys: dearer by half, for when it is not known whose they are. */
export function lockAccountsOf(keyIds: readonly string[]): QueryConfig {
  return {
    name: "opzoek_lock_of",
    text: `select a.id, a.tier, a.suspended from accounts a
           where a.id in (select k.account_id from keys k where k.id = any($1::text[]))
           order by a.id for no key update of a`,
    values: [listOf(keyIds)],
  };
}

export interface ReadKey {
  readonly now_ms: number;
  /** Null in the one row that tells the time when there is none of the keys. */
  readonly id: string | null;
  readonly account_id: string;
  readonly is_revoked: boolean;
  /** When a key that was rolled ends, ISO 8601. */
  readonly ends_at: string | null;
  readonly minute: number;
  readonly calls_in_minute: number;
  readonly month: number | null;
  readonly used: number | null;
  /** By month: what is reserved in it, and whether there is something to give back. */
  readonly held: readonly (readonly [month: number, tokens: number, hasExpired: boolean])[] | null;
}

/**
 * Reads keys, the latest month of their accounts and what is reserved, after the locks are held: a statement of its own
 * sees all that was committed before it began, which the one that had to wait for the locks does not.
 */
export function readKeys(keyIds: readonly string[], testNowMs: number | undefined): QueryConfig {
  return {
    name: "opzoek_read",
    text: `with moment as (select ${MOMENT} as now_ms)
           select moment.now_ms, k.id, k.account_id, k.revoked_at is not null as is_revoked, k.ends_at,
                  k.minute, k.calls_in_minute, m.month, m.used, h.held
           from moment
           left join keys k on k.id = any($1::text[])
           left join lateral (
             select month, used from account_months
             where account_id = k.account_id order by month desc limit 1
           ) m on true
           left join lateral (
             select json_agg(json_build_array(r.month, r.tokens, r.has_expired)) as held from (
               select month, coalesce(sum(tokens) filter (where expires_at_ms > moment.now_ms), 0) as tokens,
                      bool_or(expires_at_ms <= moment.now_ms) as has_expired
               from reservations where account_id = k.account_id and given_back = 0 group by month
             ) r
           ) h on true`,
    values: [listOf(keyIds), testNowMs ?? null],
  };
}

export interface KeyOfHash {
  readonly hash: string;
  readonly id: string;
}

export function findKeys(hashes: readonly string[]): QueryConfig {
  return {
    name: "opzoek_find_keys",
    text: "select hash, id from keys where hash = any($1::text[])",
    values: [listOf(hashes)],
  };
}

export interface ReadReservation {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly operation: string;
  readonly month: number;
  readonly tokens: number;
  readonly expires_at_ms: number;
  readonly given_back: number;
}

export function readReservations(ids: readonly string[]): QueryConfig {
  return {
    name: "opzoek_reservations",
    text: `select id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back
           from reservations where id = any($1::text[])`,
    values: [listOf(ids)],
  };
}

/** A month of an account whose use only the ledger tells. */
export interface MonthOfAccount {
  readonly accountId: string;
  readonly month: number;
}

export interface UsedMonth {
  readonly account_id: string;
  readonly month: number;
  readonly used: number;
}

/** What was used in months, from the ledger with its open lines. For months that are not stored last: few batches need it. */
export function readUsed(months: readonly MonthOfAccount[]): QueryConfig {
  const rows = months.map((asked) => ({ ...asked, ...daysOfMonth(asked.month) }));
  return {
    name: "opzoek_used",
    text: `select asked.account_id, asked.month, (filed.tokens + opened.tokens)::bigint as used
           from unnest($1::text[], $2::integer[], $3::text[], $4::text[]) as asked (account_id, month, first, last)
           cross join lateral (
             select coalesce(sum(tokens), 0) as tokens from ledger
             where account_id = asked.account_id and day between asked.first and asked.last
           ) as filed
           cross join lateral (
             select coalesce(sum(open_tokens), 0) as tokens from keys
             where account_id = asked.account_id and open_day between asked.first and asked.last
           ) as opened`,
    values: columns(rows, ["accountId", "month", "first", "last"]),
  };
}

export interface GiveBack {
  readonly accountIds: readonly string[];
  readonly nowMs: number;
}

/**
 * What writes the changes of a batch, and its id with them, in the order in which it must run; nothing for a batch that
 * changed nothing. What every batch writes is one statement: each one costs both sides more than the rows of a small batch.
 */
export function writeChanges(batchId: string, changes: BatchChanges, giveBack: GiveBack): QueryConfig[] {
  const { windows, months, takenBack, reserved, settled, ledger } = changes;
  const statements: QueryConfig[] = [];
  if (giveBack.accountIds.length > 0) {
    statements.push({
      name: "opzoek_give_back",
      text: `update reservations set given_back = 1
             where account_id = any($1::text[]) and given_back = 0 and expires_at_ms <= $2::bigint`,
      values: [listOf(giveBack.accountIds), giveBack.nowMs],
    });
  }
  if (reserved.length > 0) {
    statements.push({
      name: "opzoek_reserve",
      text: `insert into reservations (id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back)
             select r.*, 0 from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::bigint[],
                                       $7::bigint[]) as r`,
      values: columns(reserved, ["id", "accountId", "keyId", "operation", "month", "tokens", "expiresAtMs"]),
    });
  }
  if (settled.length > 0) {
    statements.push({
      name: "opzoek_unreserve",
      text: "delete from reservations where id = any($1::text[])",
      values: [listOf(settled)],
    });
  }
  if (takenBack.length > 0) {
    statements.push({
      name: "opzoek_take_back",
      text: `delete from account_months as m
             using unnest($1::text[], $2::integer[]) as present (account_id, month)
             where m.account_id = present.account_id and m.month > present.month`,
      values: columns(takenBack, ["accountId", "month"]),
    });
  }
  if (statements.length + windows.length + months.length + ledger.length === 0) return [];
  statements.push({
    name: "opzoek_write",
    text: WRITE,
    values: [
      batchId,
      ...columns(windows, ["keyId", "minute", "callsInMinute"]),
      ...columns(months, ["accountId", "month", "used"]),
      ...columns(ledger, ["accountId", "day", "keyId", "operation"]),
      ...columns(ledger, ["requests", "tokens", "refusedByRate", "refusedByAllowance"]),
    ],
  });
  return statements;
}

const WRITE = `with noted as (
    insert into applied_batches (id, is_void, noted_at_ms) values ($1, 0, ${NOW_MS})
  ), windows as (
    update keys set minute = w.minute, calls_in_minute = w.calls
    from unnest($2::text[], $3::bigint[], $4::bigint[]) as w (id, minute, calls) where keys.id = w.id
  ), months as (
    insert into account_months (account_id, month, used)
    select * from unnest($5::text[], $6::integer[], $7::bigint[])
    on conflict (account_id, month) do update set used = excluded.used
  )
  insert into ledger (account_id, day, key_id, operation, requests, tokens, refused_rate, refused_allowance)
  select * from unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::bigint[], $13::bigint[],
                       $14::bigint[], $15::bigint[])
  on conflict (account_id, day, key_id, operation) do update set
    requests = ledger.requests + excluded.requests,
    tokens = ledger.tokens + excluded.tokens,
    refused_rate = ledger.refused_rate + excluded.refused_rate,
    refused_allowance = ledger.refused_allowance + excluded.refused_allowance`;

/** Deletes reservations that expired so long ago, and ids of batches whose outcome nobody asks for any more. */
export function retentionStatements(keepLapsedMs: number): QueryConfig[] {
  return [
    {
      // Locked rows are left to the next time: a batch that has them must not wait for this, nor this for it.
      text: `delete from reservations where id in (
               select id from reservations where expires_at_ms < ${NOW_MS} - $1::bigint for update skip locked
             )`,
      values: [keepLapsedMs],
    },
    {
      text: `delete from applied_batches where noted_at_ms < ${NOW_MS} - $1::bigint`,
      values: [KEEP_BATCH_IDS_MS],
    },
  ];
}
