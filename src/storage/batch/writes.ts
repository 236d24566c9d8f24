import type { BatchChanges } from "../../metering/batchRows.ts";
import { keptUntilMs } from "../queries/kept.ts";
import { chunkWrites } from "./chunkWrites.ts";
import { type Query, query, type Statement, statement } from "./sql.ts";

/** The changes of a batch to the figures of live keys or of test keys. */
export interface BookChanges {
  readonly isTest: boolean;
  readonly changes: BatchChanges;
}

/** Accounts with reservations that have expired: their tokens are given back for good. */
export interface Expired {
  readonly live: readonly string[];
  readonly test: readonly string[];
}

const RELEASE_EXPIRED = statement(
  "release_expired",
  ({ isIn, parameter }) => `
    update reservations set given_back = 1
    where given_back = 0 and expires_at_ms <= ${parameter(2)} and is_test = ${parameter(3)} and ${isIn("account_id", 1)}`,
);

const WINDOWS = statement(
  "windows",
  ({ list }) => `
    update keys set minute = w.minute, calls_in_minute = w.calls_in_minute
    from ${list(1, "w", "key_id text, minute bigint, calls_in_minute bigint")} where keys.id = w.key_id`,
);

const SPENDING_DAYS = statement(
  "spending_days",
  ({ list }) => `
    update keys set spending_day = w.day, spent_in_day = w.spent
    from ${list(1, "w", "key_id text, day bigint, spent bigint")} where keys.id = w.key_id`,
);

const DELETE_FUTURE_MONTHS = statement(
  "delete_future_months",
  ({ list }) => `
    delete from account_months where (account_id, is_test, month) in (
      select m.account_id, m.is_test, m.month from ${list(1, "w", "account_id text, is_test integer, month integer")}
      join account_months m on m.account_id = w.account_id and m.is_test = w.is_test and m.month > w.month
    )`,
);

const MONTHS = statement(
  "months",
  ({ list }) => `
    insert into account_months (account_id, is_test, month, used)
    select w.account_id, w.is_test, w.month, w.used
    from ${list(1, "w", "account_id text, is_test integer, month integer, used bigint")} where true
    on conflict (account_id, is_test, month) do update set used = excluded.used`,
);

const SHARE = statement(
  "share",
  ({ list }) => `
    update reservations set tokens = w.tokens, spending_day = w.spending_day, session_began_ms = w.began_at_ms
    from ${list(1, "w", "id text, tokens bigint, spending_day bigint, began_at_ms bigint")} where reservations.id = w.id`,
);

const RESERVE = statement(
  "reserve",
  ({ list }) => `
    insert into reservations (id, account_id, is_test, key_id, operation, month, tokens, expires_at_ms, given_back,
                              keep_id, request_hash, spending_day, session, session_began_ms)
    select w.id, w.account_id, w.is_test, w.key_id, w.operation, w.month, w.tokens, w.expires_at_ms, 0,
           w.keep_id, w.request_hash, w.spending_day, w.session, w.began_at_ms
    from ${list(
      1,
      "w",
      "id text, account_id text, is_test integer, key_id text, operation text, month integer, tokens bigint, expires_at_ms bigint, keep_id text, request_hash text, spending_day bigint, session text, began_at_ms bigint",
    )}`,
);

const UNRESERVE = statement("unreserve", ({ isIn }) => `delete from reservations where ${isIn("id", 1)}`);

const SESSIONS = statement(
  "write_sessions",
  ({ list }) => `
    insert into typing_sessions (key_id, session, account_id, began_at_ms, followers)
    select w.key_id, w.session, w.account_id, w.began_at_ms, w.followers
    from ${list(1, "w", "key_id text, session text, account_id text, began_at_ms bigint, followers integer")} where true
    on conflict (key_id, session) do update set
      began_at_ms = excluded.began_at_ms, followers = excluded.followers`,
);

const STORE_RESPONSES = statement(
  "store_responses",
  ({ list }) => `
    insert into kept_answers (account_id, id, request_hash, expires_at_ms, status, names, answer)
    select w.account_id, w.id, w.request_hash, w.expires_at_ms, w.status, w.names, w.text
    from ${list(
      1,
      "w",
      "account_id text, id text, request_hash text, expires_at_ms bigint, status integer, names text, text text",
    )} where true order by w.account_id, w.id
    on conflict (account_id, id) do update set
      request_hash = excluded.request_hash, expires_at_ms = excluded.expires_at_ms,
      status = excluded.status, names = excluded.names, answer = excluded.answer`,
);

const COUNT_RESPONSES = statement(
  "count_responses",
  ({ list }) => `
    insert into kept_totals (account_id, ends_at_ms, answers, bytes)
    select w.account_id, w.ends_at_ms, count(*), sum(w.bytes)
    from ${list(1, "w", "account_id text, ends_at_ms bigint, bytes bigint")} where true
    group by w.account_id, w.ends_at_ms order by w.account_id, w.ends_at_ms
    on conflict (account_id, ends_at_ms) do update set
      answers = kept_totals.answers + excluded.answers, bytes = kept_totals.bytes + excluded.bytes`,
);

const FIGURES = [
  "requests",
  "tokens",
  "refused_rate",
  "refused_allowance",
  "sessions",
  "session_calls",
] as const;

const LEDGER = statement(
  "ledger",
  ({ list }) => `
    insert into ledger (account_id, is_test, day, key_id, operation, ${FIGURES.join(", ")})
    select w.account_id, w.is_test, w.day, w.key_id, w.operation, w.requests, w.tokens, w.refused_by_rate,
           w.refused_by_allowance, w.sessions, w.session_calls
    from ${list(
      1,
      "w",
      "account_id text, is_test integer, day text, key_id text, operation text, requests bigint, tokens bigint, refused_by_rate bigint, refused_by_allowance bigint, sessions bigint, session_calls bigint",
    )} where true
    on conflict (account_id, is_test, day, key_id, operation) do update set
      ${FIGURES.map((name) => `${name} = ledger.${name} + excluded.${name}`).join(", ")}`,
);

/** The statements that write what a batch changed, in order; none when it changed nothing. */
export function writesOf(books: readonly BookChanges[], expired: Expired, nowMs: number): readonly Query[] {
  /** Rows of all books, each with the flag of its books. */
  const rows = <Change extends object>(of: (changes: BatchChanges) => readonly Change[]) =>
    books.flatMap(({ isTest, changes }) => of(changes).map((row) => ({ ...row, isTest: isTest ? 1 : 0 })));
  const windows = rows((changes) => changes.windows);
  const settled = books.flatMap(({ changes }) => changes.settled);
  const responses = rows((changes) => changes.kept);
  return [
    ...release(expired.live, nowMs, 0),
    ...release(expired.test, nowMs, 1),
    ...write(
      WINDOWS,
      windows.map(({ keyId, minute, callsInMinute }) => ({ keyId, minute, callsInMinute })),
    ),
    ...write(
      SPENDING_DAYS,
      windows.flatMap(({ keyId, browser }) => (browser === undefined ? [] : [{ keyId, ...browser.cap }])),
    ),
    ...write(
      DELETE_FUTURE_MONTHS,
      rows((changes) => changes.takenBack),
    ),
    ...write(
      MONTHS,
      rows((changes) => changes.months.map(({ accountId, month, used }) => ({ accountId, month, used }))),
    ),
    ...write(
      SHARE,
      rows((changes) => changes.shared),
    ),
    ...write(
      RESERVE,
      rows((changes) =>
        changes.reserved.map(({ keep, ...made }) => ({
          ...made,
          keepId: keep?.id ?? null,
          requestHash: keep?.requestHash ?? null,
        })),
      ),
    ),
    ...(settled.length === 0 ? [] : [query(UNRESERVE, JSON.stringify(settled))]),
    ...write(
      SESSIONS,
      rows((changes) => changes.sessions),
    ),
    ...write(
      STORE_RESPONSES,
      responses.map(({ names, ...response }) => ({ ...response, names: JSON.stringify(names) })),
    ),
    ...write(
      COUNT_RESPONSES,
      responses.map(({ accountId, expiresAtMs, bytes }) => ({
        accountId,
        endsAtMs: keptUntilMs(expiresAtMs),
        bytes,
      })),
    ),
    ...chunkWrites(
      books.flatMap(({ changes }) => changes.chunks),
      nowMs,
    ),
    ...write(
      LEDGER,
      rows((changes) => changes.ledger),
    ),
  ];
}

function release(accountIds: readonly string[], nowMs: number, isTest: number): readonly Query[] {
  return accountIds.length === 0 ? [] : [query(RELEASE_EXPIRED, JSON.stringify(accountIds), nowMs, isTest)];
}

/** @param rows objects with the properties that the statement reads, and maybe more */
function write(of: Statement<never>, rows: readonly object[]): readonly Query[] {
  return rows.length === 0 ? [] : [query(of, JSON.stringify(rows))];
}
