import type { ChargedChunk } from "../../metering/jobChunk.ts";
import { type Query, query, statement } from "./sql.ts";

const RESULTS = statement(
  "job_results",
  ({ list }) => `
    insert into job_results (job_id, account_id, step, lines, jsonl_bytes, csv_bytes, mark)
    select w.job_id, w.account_id, w.step, w.lines, w.jsonl_bytes, w.csv_bytes, w.mark
    from ${list(
      1,
      "w",
      "job_id text, account_id text, step bigint, lines text, jsonl_bytes bigint, csv_bytes bigint, mark text",
    )}`,
);

const TAKEN = statement(
  "job_taken",
  ({ list }) => `
    update job_blocks set taken = w.taken from ${list(1, "w", "job_id text, block bigint, taken bigint")}
    where job_blocks.job_id = w.job_id and job_blocks.block = w.block`,
);

const RETRY = statement(
  "job_retry",
  ({ list }) => `
    insert into job_blocks (job_id, account_id, block, attempt, due_at_ms, size, taken, numbers)
    select w.job_id, w.account_id, (select coalesce(max(b.block), -1) + 1 from job_blocks b where b.job_id = w.job_id),
           w.attempt, w.due_at_ms, w.size, 0, w.numbers
    from ${list(
      1,
      "w",
      "job_id text, account_id text, attempt bigint, due_at_ms bigint, size bigint, numbers text",
    )}`,
);

/** A list whose caller paused it meanwhile stays paused. */
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

/** Stores the results of lists, advances the lists, and queues numbers without a result for another attempt. */
export function chunkWrites(chunks: readonly ChargedChunk[], nowMs: number): readonly Query[] {
  if (chunks.length === 0) return [];
  const rows = chunks.map(({ accountId, chunk, charged }) => ({
    ...chunk,
    accountId,
    charged,
    leaseUntilMs: nowMs + chunk.leaseMs,
  }));
  const results = rows.filter(({ lines }) => lines !== "");
  const retries = rows.flatMap(({ accountId, jobId, again }) =>
    again === undefined ? [] : [{ ...again, jobId, accountId, dueAtMs: nowMs + again.afterMs }],
  );
  const plain = rows.map(({ lines: _lines, again: _again, ...row }) => row);
  return [
    ...(results.length > 0 ? [query(RESULTS, JSON.stringify(results))] : []),
    query(TAKEN, JSON.stringify(plain)),
    ...(retries.length > 0 ? [query(RETRY, JSON.stringify(retries))] : []),
    query(PROGRESS, JSON.stringify(plain)),
  ];
}
