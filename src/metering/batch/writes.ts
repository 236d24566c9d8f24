import {
  adding,
  columnsOf,
  insertion,
  type Query,
  query,
  replacing,
  type Statement,
  statement,
  update,
} from "../../database/sql.ts";
import type { BatchChanges } from "../batchRows.ts";
import type { ChargedChunk } from "../jobChunk.ts";
import { countedUntilMs } from "../queries/storedResponses.ts";

/** The changes of a batch to the live or the test ledger. */
interface LedgerChanges {
  readonly isTest: boolean;
  readonly changes: BatchChanges;
}

/** Accounts with expired reservations, whose tokens are released permanently. */
interface Expired {
  readonly live: readonly string[];
  readonly test: readonly string[];
}

const RELEASE_EXPIRED = statement(
  "release_expired",
  ({ isIn, parameter }) => `
    update reservations set given_back = 1
    where given_back = 0 and expires_at_ms <= ${parameter(2)} and is_test = ${parameter(3)} and ${isIn("account_id", 1)}`,
);

const WINDOWS = update("windows", "keys", "minute", "calls_in_minute");
const SPENDING_DAYS = update("spending_days", "keys", "spending_day", "spent_in_day");

const DELETE_FUTURE_MONTHS = statement(
  "delete_future_months",
  ({ list }) => `
    delete from account_months where (account_id, is_test, month) in (
      select m.account_id, m.is_test, m.month from ${list(1, "w", columnsOf("account_months", "account_id", "is_test", "month"))}
      join account_months m on m.account_id = w.account_id and m.is_test = w.is_test and m.month > w.month
    )`,
);

const MONTHS = insertion(
  "months",
  "account_months",
  `on conflict (account_id, is_test, month) do update set ${replacing("used")}`,
);

const SHARE = update("share", "reservations", "tokens", "spending_day", "session_began_ms");

const RESERVE = insertion("reserve", "reservations");

const UNRESERVE = statement("unreserve", ({ isIn }) => `delete from reservations where ${isIn("id", 1)}`);

const SESSIONS = insertion(
  "write_sessions",
  "typing_sessions",
  `on conflict (key_id, session) do update set ${replacing("began_at_ms", "followers")}`,
);

const STORE_RESPONSES = insertion(
  "store_responses",
  "stored_responses",
  `order by w.account_id, w.id
   on conflict (account_id, id) do update set ${replacing("request_hash", "expires_at_ms", "status", "names", "answer")}`,
);

const COUNT_RESPONSES = statement(
  "count_responses",
  ({ list }) => `
    insert into stored_response_totals (account_id, ends_at_ms, answers, bytes)
    select w.account_id, w.ends_at_ms, count(*), sum(w.bytes)
    from ${list(1, "w", columnsOf("stored_response_totals", "account_id", "ends_at_ms", "bytes"))} where true
    group by w.account_id, w.ends_at_ms order by w.account_id, w.ends_at_ms
    on conflict (account_id, ends_at_ms) do update set ${adding("stored_response_totals", "answers", "bytes")}`,
);

const RESULTS = insertion("job_results", "job_results");
const TAKEN = update("job_taken", "job_blocks", "taken");

const RETRY = statement(
  "job_retry",
  ({ list }) => `
    insert into job_blocks (job_id, account_id, block, attempt, due_at_ms, size, taken, numbers)
    select w.job_id, w.account_id, (select coalesce(max(b.block), -1) + 1 from job_blocks b where b.job_id = w.job_id),
           w.attempt, w.due_at_ms, w.size, 0, w.numbers
    from ${list(1, "w", columnsOf("job_blocks", "job_id", "account_id", "attempt", "due_at_ms", "size", "numbers"))}`,
);

/** A list whose caller paused it in the meantime stays paused. */
const PROGRESS = statement(
  "job_progress",
  ({ list }) => `
    update jobs set step = jobs.step + 1, found = jobs.found + w.found, failed = jobs.failed + w.failed,
      charged = jobs.charged + w.charged, lease_until_ms = w.lease_until_ms,
      status = case when jobs.due_at_ms is null then jobs.status else 'running' end,
      reason = case when jobs.due_at_ms is null then jobs.reason end
    from ${list(1, "w", "job_id text, found bigint, failed bigint, charged bigint, lease_until_ms bigint")}
    where jobs.id = w.job_id`,
);

const LEDGER = insertion(
  "ledger",
  "ledger",
  `on conflict (account_id, is_test, day, key_id, operation) do update set
     ${adding("ledger", "requests", "tokens", "refused_rate", "refused_allowance", "sessions", "session_calls")}`,
);

/** The statements that write the changes of a batch, in order; none if it changed nothing. */
export function writesOf(both: readonly LedgerChanges[], expired: Expired, nowMs: number): readonly Query[] {
  const writes: Query[] = [];
  const write = (
    sqlStatement: Statement<never>,
    rows: readonly (string | object)[],
    ...values: readonly number[]
  ) => {
    if (rows.length > 0) writes.push(query(sqlStatement, rows, ...values));
  };
  /** The changes to the live and the test ledger, each with its flag. */
  const changed = <Name extends Exclude<keyof BatchChanges, "settled">>(name: Name) =>
    both.flatMap(({ isTest, changes }) => {
      const rows: readonly BatchChanges[Name][number][] = changes[name];
      return rows.map((row) => ({ ...row, isTest: isTest ? 1 : 0 }));
    });
  const windows = changed("windows");
  const responses = changed("responses");
  write(RELEASE_EXPIRED, expired.live, nowMs, 0);
  write(RELEASE_EXPIRED, expired.test, nowMs, 1);
  write(
    WINDOWS,
    windows.map(({ keyId, minute, callsInMinute }) => ({ id: keyId, minute, callsInMinute })),
  );
  write(
    SPENDING_DAYS,
    windows.flatMap(({ keyId, browser }) =>
      browser === undefined
        ? []
        : [{ id: keyId, spendingDay: browser.cap.day, spentInDay: browser.cap.spent }],
    ),
  );
  write(DELETE_FUTURE_MONTHS, changed("rewound"));
  write(MONTHS, changed("months"));
  write(SHARE, changed("changedReservations"));
  write(
    RESERVE,
    changed("reserved").map(({ idempotency, ...reservation }) => ({
      ...reservation,
      givenBack: 0,
      idempotencyId: idempotency?.id,
      requestHash: idempotency?.requestHash,
    })),
  );
  write(
    UNRESERVE,
    both.flatMap(({ changes }) => changes.settled),
  );
  write(SESSIONS, changed("sessions"));
  write(
    STORE_RESPONSES,
    responses.map((row) => ({ ...row, numbers: JSON.stringify(row.numbers) })),
  );
  write(
    COUNT_RESPONSES,
    responses.map(({ expiresAtMs, ...row }) => ({ ...row, endsAtMs: countedUntilMs(expiresAtMs) })),
  );
  writeChunks(changed("chunks"), nowMs, write);
  write(LEDGER, changed("ledger"));
  return writes;
}

/** Stores the results of lists, advances the lists, and queues numbers without a result for another attempt. */
function writeChunks(
  chunks: readonly ChargedChunk[],
  nowMs: number,
  write: (sqlStatement: Statement<never>, rows: readonly object[]) => void,
): void {
  const rows = chunks.map(({ accountId, chunk, charged }) => ({
    ...chunk,
    accountId,
    charged,
    leaseUntilMs: nowMs + chunk.leaseMs,
  }));
  const plain = rows.map(({ lines: _lines, toRetry: _toRetry, ...row }) => row);
  write(
    RESULTS,
    rows.filter(({ lines }) => lines !== ""),
  );
  write(TAKEN, plain);
  write(
    RETRY,
    rows.flatMap(({ accountId, jobId, toRetry }) =>
      toRetry === undefined ? [] : [{ ...toRetry, jobId, accountId, dueAtMs: nowMs + toRetry.retryAfterMs }],
    ),
  );
  write(PROGRESS, plain);
}
