import type { ChargedChunk, StoredJob } from "../../metering/jobChunk.ts";
import type { ChargeRequest } from "../../metering/store.ts";
import { isOpenJob } from "../jobTables.ts";
import { arrayLiteral, columnLiterals } from "./arrayLiterals.ts";
import type { PreparedStatement } from "./statementGroup.ts";

export interface ReadJob {
  readonly id: string;
  readonly step: number;
  readonly claim: number;
  readonly status: string;
}

/** The lists that requests move on. */
export function jobsOf(requests: readonly ChargeRequest[]): readonly string[] {
  return requests.flatMap((request) =>
    request.kind === "settle" && request.chunk !== undefined ? [request.chunk.jobId] : [],
  );
}

/** Locks lists, so that none is ended or cancelled before what was worked of it is kept. */
export function readJobs(ids: readonly string[]): PreparedStatement {
  return {
    name: "opzoek_jobs",
    text: "select id, step, claim, status from jobs where id = any($1::text[]) order by id for no key update",
    values: [arrayLiteral(ids)],
  };
}

export function storedJob(row: ReadJob | undefined): StoredJob | undefined {
  return row && { step: row.step, claim: row.claim, isOpen: isOpenJob(row.status) };
}

/** Keeps what was worked of lists, moves them on, which run again unless their callers paused them meanwhile, and has numbers without an answer tried again, in one statement for a batch. */
export function writeChunks(chunks: readonly ChargedChunk[], nowMs: number): PreparedStatement {
  const rows = chunks.map(({ accountId, chunk, charged }) => ({
    ...chunk,
    accountId,
    charged,
    leaseUntilMs: nowMs + chunk.leaseMs,
    again: chunk.again?.numbers ?? "",
    size: chunk.again?.size ?? 0,
    attempt: chunk.again?.attempt ?? 0,
    dueAtMs: nowMs + (chunk.again?.afterMs ?? 0),
  }));
  return {
    name: "opzoek_chunks",
    text: WRITE,
    values: [
      ...columnLiterals(rows, ["jobId", "accountId", "step", "lines", "jsonlBytes", "csvBytes", "mark"]),
      ...columnLiterals(rows, ["block", "taken", "found", "failed", "charged", "leaseUntilMs"]),
      ...columnLiterals(rows, ["again", "size", "attempt", "dueAtMs"]),
    ],
  };
}

const WRITE = `with chunk as (
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::text[],
                         $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
                         $14::text[], $15::bigint[], $16::bigint[], $17::bigint[])
      as c (job_id, account_id, step, lines, jsonl_bytes, csv_bytes, mark, block, taken, found, failed, charged,
            lease_until_ms, again, size, attempt, due_at_ms)
  ), results as (
    insert into job_results (job_id, account_id, step, lines, jsonl_bytes, csv_bytes, mark)
    select job_id, account_id, step, lines, jsonl_bytes, csv_bytes, mark from chunk where lines <> ''
  ), taken as (
    update job_blocks set taken = chunk.taken from chunk
    where job_blocks.job_id = chunk.job_id and job_blocks.block = chunk.block
  ), again as (
    insert into job_blocks (job_id, account_id, block, attempt, due_at_ms, size, taken, numbers)
    select chunk.job_id, chunk.account_id,
           (select coalesce(max(b.block), -1) + 1 from job_blocks b where b.job_id = chunk.job_id),
           chunk.attempt, chunk.due_at_ms, chunk.size, 0, chunk.again
    from chunk where chunk.size > 0
  )
  update jobs set step = jobs.step + 1, found = jobs.found + chunk.found, failed = jobs.failed + chunk.failed,
    charged = jobs.charged + chunk.charged, lease_until_ms = chunk.lease_until_ms,
    status = case when jobs.due_at_ms is null then jobs.status else 'running' end,
    reason = case when jobs.due_at_ms is null then jobs.reason end
  from chunk where jobs.id = chunk.job_id`;
