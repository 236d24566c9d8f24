import type { BatchChanges, NewKept } from "../../metering/batchRows.ts";
import { MOST_AHEAD_MS } from "../../metering/periods.ts";
import type { FoundKey } from "../../metering/store.ts";
import { type Books, LIVE_BOOKS, TEST_BOOKS } from "../books.ts";
import { keptUntilMs } from "../queries/kept.ts";
import { ROWS_IN_A_STEP } from "../queries/sweeping.ts";
import { arrayLiteral, columnLiterals } from "./arrayLiterals.ts";
import { writeChunks } from "./chunkStatements.ts";
import { BATCH_LAYOUT, KEEP_BATCH_IDS_MS, NOW_MS } from "./commitOutcome.ts";
import type { PreparedStatement } from "./statementGroup.ts";
import { daysStatements, reserveStatement, shareStatements } from "./writes.ts";

// The statements of the hot path: prepared by name once on each connection, lists as arrays, so that each runs once for
// a batch of any size. Nothing here calls a function of ours in the database, and all rows of a batch hang on account
// ids: what the engines that speak PostgreSQL's protocol need to run it.

/** Begins a transaction; prepared as it leaves with what locks and reads. */
export const BEGIN: PreparedStatement = {
  name: "opzoek_begin",
  text: "begin isolation level read committed",
  values: [],
};

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
export function lockAccounts(accountIds: readonly string[]): PreparedStatement {
  return {
    name: "opzoek_lock",
    text: `select id, tier, suspended from accounts where id = any($1::text[]) order by id for no key update`,
    values: [arrayLiteral(accountIds)],
  };
}

/** The same for what needs nothing of the rows: they need not travel. */
export function holdAccounts(accountIds: readonly string[]): PreparedStatement {
  return {
    name: "opzoek_hold",
    text: `select count(*) from (
             select from accounts where id = any($1::text[]) order by id for no key update
           ) as held`,
    values: [arrayLiteral(accountIds)],
  };
}

/** The same as {@link lockAccounts} for the accounts of keys: dearer by half, for when it is not known whose they are. */
export function lockAccountsOf(keyIds: readonly string[]): PreparedStatement {
  return {
    name: "opzoek_lock_of",
    text: `select a.id, a.tier, a.suspended from accounts a
           where a.id in (select k.account_id from keys k where k.id = any($1::text[]))
           order by a.id for no key update of a`,
    values: [arrayLiteral(keyIds)],
  };
}

export interface KeyOfHash extends FoundKey {
  readonly hash: string;
  readonly account_id: string;
}

export function findKeys(hashes: readonly string[]): PreparedStatement {
  return {
    name: "opzoek_find_keys",
    text: "select hash, id, kind, account_id from keys where hash = any($1::text[])",
    values: [arrayLiteral(hashes)],
  };
}

export interface GiveBack {
  readonly accountIds: readonly string[];
  readonly nowMs: number;
}

/** What a batch changed in some books. */
export interface BookWrite {
  readonly books: Books;
  readonly changes: BatchChanges;
  readonly giveBack: GiveBack;
}

/**
 * What writes the changes of a batch, and its id with them, in the order in which it must run; nothing for a batch that
 * changed nothing. What every batch writes is one statement for each of the books that it changed: each one costs both sides more than the
 * rows of a small batch.
 */
export function writeChanges(batchId: string, writes: readonly BookWrite[]): PreparedStatement[] {
  const statements: PreparedStatement[] = [];
  let isNoted = false;
  for (const write of writes) {
    const first = writeRare(write);
    const { windows, months, ledger } = write.changes;
    if (first.length + windows.length + months.length + ledger.length === 0) continue;
    statements.push(...first, writeRows(isNoted ? undefined : batchId, write));
    isNoted = true;
  }
  return statements;
}

/** What few batches write. */
function writeRare({ books, changes, giveBack }: BookWrite): PreparedStatement[] {
  const { windows, takenBack, reserved, settled, shared, sessions, kept, chunks } = changes;
  const { months, reservations } = books;
  const statements = daysStatements(windows);
  if (giveBack.accountIds.length > 0) {
    statements.push({
      name: `opzoek_give_back_${reservations}`,
      text: `update ${reservations} set given_back = 1
             where account_id = any($1::text[]) and given_back = 0 and expires_at_ms <= $2::bigint`,
      values: [arrayLiteral(giveBack.accountIds), giveBack.nowMs],
    });
  }
  statements.push(...shareStatements(shared, books));
  if (reserved.length > 0) statements.push(reserveStatement(reserved, books));
  if (settled.length > 0) {
    statements.push({
      name: `opzoek_unreserve_${reservations}`,
      text: `delete from ${reservations} where id = any($1::text[])`,
      values: [arrayLiteral(settled)],
    });
  }
  if (sessions.length > 0) {
    statements.push({
      name: "opzoek_write_sessions",
      text: `insert into typing_sessions (key_id, session, account_id, began_at_ms, followers)
             select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::integer[])
             on conflict (key_id, session) do update set
               began_at_ms = excluded.began_at_ms, followers = excluded.followers`,
      values: columnLiterals(sessions, ["keyId", "session", "accountId", "beganAtMs", "followers"]),
    });
  }
  if (kept.length > 0) statements.push(...keepStatements(kept));
  if (chunks.length > 0) statements.push(writeChunks(chunks, giveBack.nowMs));
  if (takenBack.length > 0) {
    statements.push({
      name: `opzoek_take_back_${months}`,
      text: `delete from ${months} as m
             using unnest($1::text[], $2::integer[]) as present (account_id, month)
             where m.account_id = present.account_id and m.month > present.month`,
      values: columnLiterals(takenBack, ["accountId", "month"]),
    });
  }
  return statements;
}

/** Answers in the order of their keys, as the sums are: two transactions that write the same ones wait for each other, in one order. */
function keepStatements(kept: readonly NewKept[]): PreparedStatement[] {
  const rows = kept.map(({ names, ...rest }) => ({
    ...rest,
    names: JSON.stringify(names),
    untilMs: keptUntilMs(rest.expiresAtMs),
  }));
  return [
    {
      name: "opzoek_keep",
      text: `insert into kept_answers (account_id, id, request_hash, expires_at_ms, status, names, answer)
             select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::integer[], $6::text[], $7::text[])
               as k (account_id, id) order by k.account_id, k.id
             on conflict (account_id, id) do update set
               request_hash = excluded.request_hash, expires_at_ms = excluded.expires_at_ms,
               status = excluded.status, names = excluded.names, answer = excluded.answer`,
      values: columnLiterals(rows, [
        "accountId",
        "id",
        "requestHash",
        "expiresAtMs",
        "status",
        "names",
        "text",
      ]),
    },
    {
      name: "opzoek_count_kept",
      text: `insert into kept_totals (account_id, ends_at_ms, answers, bytes)
             select account_id, ends_at_ms, count(*), sum(bytes)
             from unnest($1::text[], $2::bigint[], $3::bigint[]) as k (account_id, ends_at_ms, bytes)
             group by account_id, ends_at_ms order by account_id, ends_at_ms
             on conflict (account_id, ends_at_ms) do update set
               answers = kept_totals.answers + excluded.answers, bytes = kept_totals.bytes + excluded.bytes`,
      values: columnLiterals(rows, ["accountId", "untilMs", "bytes"]),
    },
  ];
}

/** @param batchId noted with what is written; undefined where another statement of the transaction does */
function writeRows(batchId: string | undefined, { books, changes }: BookWrite): PreparedStatement {
  const { windows, months, ledger } = changes;
  const rows = [
    ...columnLiterals(windows, ["keyId", "minute", "callsInMinute"]),
    ...columnLiterals(months, ["accountId", "month", "used"]),
    ...columnLiterals(ledger, ["accountId", "day", "keyId", "operation"]),
    ...columnLiterals(ledger, ["requests", "tokens", "refusedByRate", "refusedByAllowance"]),
    ...columnLiterals(ledger, ["sessions", "sessionCalls"]),
  ];
  const { alone, beside } = WRITES[books.ledger];
  return batchId === undefined
    ? { name: `opzoek_write_${books.ledger}_beside`, text: beside, values: rows }
    : { name: `opzoek_write_${books.ledger}`, text: alone, values: [...rows, batchId] };
}

const WRITES = {
  ledger: { alone: writeText(LIVE_BOOKS, true), beside: writeText(LIVE_BOOKS, false) },
  test_ledger: { alone: writeText(TEST_BOOKS, true), beside: writeText(TEST_BOOKS, false) },
};

function writeText({ months, ledger }: Books, isNoted: boolean): string {
  const noted = `noted as (
    insert into applied_batches (id, is_void, noted_at_ms, layout) values ($17, 0, ${NOW_MS}, ${BATCH_LAYOUT})
  ), `;
  return `with ${isNoted ? noted : ""}windows as (
    update keys set minute = w.minute, calls_in_minute = w.calls
    from unnest($1::text[], $2::bigint[], $3::bigint[]) as w (id, minute, calls) where keys.id = w.id
  ), months as (
    insert into ${months} (account_id, month, used)
    select * from unnest($4::text[], $5::integer[], $6::bigint[])
    on conflict (account_id, month) do update set used = excluded.used
  )
  insert into ${ledger} as l (account_id, day, key_id, operation, requests, tokens, refused_rate, refused_allowance,
                              sessions, session_calls)
  select * from unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[],
                       $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[])
  on conflict (account_id, day, key_id, operation) do update set
    requests = l.requests + excluded.requests,
    tokens = l.tokens + excluded.tokens,
    refused_rate = l.refused_rate + excluded.refused_rate,
    refused_allowance = l.refused_allowance + excluded.refused_allowance,
    sessions = l.sessions + excluded.sessions,
    session_calls = l.session_calls + excluded.session_calls`;
}

/**
 * Each deletes one step of reservations that expired so long ago, or of ids of batches whose outcome nobody asks for any more.
 * @param nowMs tests only: the time of reservations instead of the database's clock
 */
export function retentionStatements(
  keepLapsedMs: number,
  nowMs: number | undefined,
): Omit<PreparedStatement, "name">[] {
  const oneStep = (table: string, age: string, keepMs: number, testNowMs?: number) => ({
    // Locked rows are left to the next time: a batch that has them must not wait for this, nor this for it.
    text: `with over as materialized (
             select id from ${table} where ${age} < coalesce($2::bigint, ${NOW_MS}) - $1::bigint
             limit ${ROWS_IN_A_STEP} for update skip locked
           )
           delete from ${table} where id in (select id from over)`,
    values: [keepMs, testNowMs ?? null],
  });
  return [
    ...[LIVE_BOOKS, TEST_BOOKS].map(({ reservations }) =>
      oneStep(reservations, "expires_at_ms", keepLapsedMs, nowMs),
    ),
    oneStep("applied_batches", "noted_at_ms", KEEP_BATCH_IDS_MS),
  ];
}

/**
 * Deletes one step of the sessions of typing that are over; rows that a batch has locked are left to the next time. They are looked for once: in a
 * plan of nested loops a subquery would find more with each row that is gone, beyond its limit.
 * @param nowMs tests only: the time in the place of the database's clock
 */
export function deleteSessions(keepMs: number, nowMs: number | undefined): Omit<PreparedStatement, "name"> {
  return {
    text: `with ended as materialized (
             select key_id, session from typing_sessions where began_at_ms < coalesce($2::bigint, ${NOW_MS}) - $1::bigint
             limit ${ROWS_IN_A_STEP} for update skip locked
           )
           delete from typing_sessions where (key_id, session) in (select key_id, session from ended)`,
    values: [keepMs, nowMs ?? null],
  };
}

/** Takes one step of the sessions back to now that were begun by a clock that was wrong: else nothing would end them. */
export function takeBackSessions(nowMs: number | undefined): Omit<PreparedStatement, "name"> {
  return {
    text: `with ahead as materialized (
             select key_id, session from typing_sessions
             where began_at_ms > coalesce($1::bigint, ${NOW_MS}) + ${MOST_AHEAD_MS}
             limit ${ROWS_IN_A_STEP} for update skip locked
           )
           update typing_sessions set began_at_ms = coalesce($1::bigint, ${NOW_MS})
           where (key_id, session) in (select key_id, session from ahead)`,
    values: [nowMs ?? null],
  };
}
