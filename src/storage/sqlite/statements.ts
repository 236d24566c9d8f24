import type { DatabaseSync } from "node:sqlite";
import type { BatchChanges } from "../../metering/batchRows.ts";
import { type Books, isOfBooks } from "../books.ts";
import { keptUntilMs } from "../queries/kept.ts";
import { ROWS_IN_A_STEP } from "../queries/sweeping.ts";
import { prepareChunkStatements, writeChunk } from "./chunkStatements.ts";

/** What a key for browsers may do, as `metering/browserKey.ts` reads it. */
const BROWSER_KEY = `case k.kind when 'pub' then json_array(coalesce(k.origins, ''), k.may_look_up,
                coalesce(k.daily_tokens, 0), k.spending_day, k.spent_in_day) end`;

/** The statements of the hot path that are about no books, prepared once. */
export function prepareStatements(database: DatabaseSync) {
  return {
    begin: database.prepare("begin immediate"),
    commit: database.prepare("commit"),
    rollback: database.prepare("rollback"),
    keyOfHash: database.prepare("select id, kind from keys where hash = ?"),
    deleteSessions: database.prepare(
      `delete from typing_sessions where rowid in (
         select rowid from typing_sessions where began_at_ms < ? limit ${ROWS_IN_A_STEP}
       )`,
    ),
    takeBackSessions: database.prepare(
      `update typing_sessions set began_at_ms = ?1 where rowid in (
         select rowid from typing_sessions where began_at_ms > ?2 limit ${ROWS_IN_A_STEP}
       )`,
    ),
    probe: database.prepare("update probe set probed_at_ms = ? where id = 1"),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;

/** The statements of the hot path that are about the calls of some books, prepared once. */
export function prepareBooks(database: DatabaseSync, books: Books) {
  const { months, reservations, ledger, isTest } = books;
  const opened = isTest
    ? "0"
    : "(select coalesce(sum(open_tokens), 0) from keys where account_id = ?1 and open_day between ?2 and ?3)";
  return {
    // All that is needed of a key and its account, in one statement: each costs more than what it reads.
    key: database.prepare(
      `select k.account_id, k.revoked_at is not null as revoked, k.ends_at, k.minute, k.calls_in_minute,
              k.expires_at_ms, k.networks, ${isTest ? "null" : BROWSER_KEY} as browser, a.tier, a.suspended, m.month, m.used,
              exists (select 1 from ${reservations} r where r.account_id = k.account_id and r.given_back = 0) as holds
       from keys k
       left join accounts a on a.id = k.account_id
       left join ${months} m on m.account_id = k.account_id
         and m.month = (select max(month) from ${months} where account_id = k.account_id)
       where k.id = ? and k.kind ${isOfBooks(books)}`,
    ),
    held: database.prepare(
      `select coalesce(sum(case when month = ? then tokens end), 0) as tokens, min(expires_at_ms) as next_expiry
       from ${reservations} where account_id = ? and given_back = 0`,
    ),
    giveBack: database.prepare(
      `update ${reservations} set given_back = 1 where account_id = ? and given_back = 0 and expires_at_ms <= ?`,
    ),
    reservation: database.prepare(
      `select operation, month, tokens, expires_at_ms, given_back, spending_day, session, session_began_ms
       from ${reservations} where id = ? and key_id = ?`,
    ),
    sessionReservations: database.prepare(
      `select id, month, tokens, expires_at_ms, spending_day, session_began_ms from ${reservations}
       where account_id = ? and given_back = 0 and key_id = ? and session = ?`,
    ),
    share: database.prepare(
      `update ${reservations} set tokens = ?, spending_day = ?, session_began_ms = ? where id = ?`,
    ),
    session: database.prepare(
      "select began_at_ms, followers from typing_sessions where key_id = ? and session = ?",
    ),
    writeSession: database.prepare(
      `insert into typing_sessions (key_id, session, account_id, began_at_ms, followers) values (?, ?, ?, ?, ?)
       on conflict (key_id, session) do update set began_at_ms = excluded.began_at_ms, followers = excluded.followers`,
    ),
    usedInMonth: database.prepare(
      `select (select coalesce(sum(tokens), 0) from ${ledger} where account_id = ?1 and day between ?2 and ?3)
            + ${opened} as used`,
    ),
    writeWindow: database.prepare("update keys set minute = ?, calls_in_minute = ? where id = ?"),
    writeDay: database.prepare("update keys set spending_day = ?, spent_in_day = ? where id = ?"),
    writeMonth: database.prepare(
      `insert into ${months} (account_id, month, used) values (?, ?, ?)
       on conflict (account_id, month) do update set used = excluded.used`,
    ),
    takeBack: database.prepare(`delete from ${months} where account_id = ? and month > ?`),
    reserve: database.prepare(
      `insert into ${reservations} (id, account_id, key_id, operation, month, tokens, expires_at_ms, given_back, keep_id,
                                    request_hash, spending_day, session, session_began_ms)
       values (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)`,
    ),
    unreserve: database.prepare(`delete from ${reservations} where id = ?`),
    deleteLapsed: database.prepare(
      `delete from ${reservations} where rowid in (
         select rowid from ${reservations} where expires_at_ms < ? limit ${ROWS_IN_A_STEP}
       )`,
    ),
    writeLedger: database.prepare(
      `insert into ${ledger} (account_id, key_id, day, operation, requests, tokens, refused_rate, refused_allowance,
                           sessions, session_calls)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (account_id, day, key_id, operation) do update set
         requests = requests + excluded.requests,
         tokens = tokens + excluded.tokens,
         refused_rate = refused_rate + excluded.refused_rate,
         refused_allowance = refused_allowance + excluded.refused_allowance,
         sessions = sessions + excluded.sessions,
         session_calls = session_calls + excluded.session_calls`,
    ),
    kept: database.prepare(
      "select request_hash, status, answer, names, expires_at_ms from kept_answers where account_id = ? and id = ?",
    ),
    underWay: database.prepare(
      `select id, request_hash, expires_at_ms from ${reservations}
       where account_id = ? and given_back = 0 and keep_id = ? order by expires_at_ms desc limit 1`,
    ),
    keptTotals: database.prepare(
      "select sum(answers) as answers, sum(bytes) as bytes from kept_totals where account_id = ? and ends_at_ms > ?",
    ),
    keptOfAll: database.prepare("select sum(bytes) as bytes from kept_totals where ends_at_ms > ?"),
    keepAnswer: database.prepare(
      `insert into kept_answers (account_id, id, request_hash, expires_at_ms, status, names, answer)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (account_id, id) do update set
         request_hash = excluded.request_hash, expires_at_ms = excluded.expires_at_ms,
         status = excluded.status, names = excluded.names, answer = excluded.answer`,
    ),
    countKept: database.prepare(
      `insert into kept_totals (account_id, ends_at_ms, answers, bytes) values (?, ?, 1, ?)
       on conflict (account_id, ends_at_ms) do update set answers = answers + 1, bytes = bytes + excluded.bytes`,
    ),
    ...prepareChunkStatements(database),
  };
}

export type BookStatements = ReturnType<typeof prepareBooks>;

/** Writes what a batch came to into the transaction that is open. */
export function writeChanges(statements: BookStatements, changes: BatchChanges, nowMs: number): void {
  for (const { minute, callsInMinute, keyId, browser } of changes.windows) {
    statements.writeWindow.run(minute, callsInMinute, keyId);
    if (browser !== undefined) statements.writeDay.run(browser.cap.day, browser.cap.spent, keyId);
  }
  for (const { accountId, month } of changes.takenBack) statements.takeBack.run(accountId, month);
  for (const { accountId, month, used } of changes.months) statements.writeMonth.run(accountId, month, used);
  for (const { id, accountId, keyId, operation, month, tokens, expiresAtMs, ...more } of changes.reserved) {
    const last = [more.keep?.id ?? null, more.keep?.requestHash ?? null, more.spendingDay] as const;
    const ofSession = [more.session, more.beganAtMs] as const;
    statements.reserve.run(
      id,
      accountId,
      keyId,
      operation,
      month,
      tokens,
      expiresAtMs,
      ...last,
      ...ofSession,
    );
  }
  for (const { id, tokens, spendingDay, beganAtMs } of changes.shared) {
    statements.share.run(tokens, spendingDay, beganAtMs, id);
  }
  for (const id of changes.settled) statements.unreserve.run(id);
  for (const { keyId, session, accountId, beganAtMs, followers } of changes.sessions) {
    statements.writeSession.run(keyId, session, accountId, beganAtMs, followers);
  }
  for (const { accountId, id, requestHash, expiresAtMs, status, names, text, bytes } of changes.kept) {
    statements.keepAnswer.run(accountId, id, requestHash, expiresAtMs, status, JSON.stringify(names), text);
    statements.countKept.run(accountId, keptUntilMs(expiresAtMs), bytes);
  }
  for (const line of changes.ledger) {
    statements.writeLedger.run(
      line.accountId,
      line.keyId,
      line.day,
      line.operation,
      line.requests,
      line.tokens,
      line.refusedByRate,
      line.refusedByAllowance,
      line.sessions,
      line.sessionCalls,
    );
  }
  for (const charged of changes.chunks) writeChunk(statements, charged, nowMs);
}
