import type { DatabaseSync } from "node:sqlite";
import type { ChargedChunk } from "../../metering/jobChunk.ts";

/** What keeps parts of lists that were worked off. */
export function prepareChunkStatements(database: DatabaseSync) {
  return {
    job: database.prepare("select step, claim, status from jobs where id = ?"),
    writeResults: database.prepare(
      `insert into job_results (job_id, account_id, step, lines, jsonl_bytes, csv_bytes, mark)
       values (?, ?, ?, ?, ?, ?, ?)`,
    ),
    takeNumbers: database.prepare("update job_blocks set taken = ? where job_id = ? and block = ?"),
    tryNumbersAgain: database.prepare(
      `insert into job_blocks (job_id, account_id, block, attempt, due_at_ms, size, taken, numbers)
       values (?1, ?2, (select coalesce(max(block), -1) + 1 from job_blocks where job_id = ?1), ?3, ?4, ?5, 0, ?6)`,
    ),
    moveJobOn: database.prepare(
      `update jobs set step = step + 1, found = found + ?, failed = failed + ?, charged = charged + ?,
         lease_until_ms = ?, status = case when due_at_ms is null then status else 'running' end,
         reason = case when due_at_ms is null then reason end where id = ?`,
    ),
  };
}

/** Keeps results, moves their list on, which runs again unless its caller paused it meanwhile, and has numbers without an answer tried again, in the transaction that is open. */
export function writeChunk(
  statements: ReturnType<typeof prepareChunkStatements>,
  { accountId, chunk, charged }: ChargedChunk,
  nowMs: number,
): void {
  const { jobId, step, block, taken, found, failed, lines, jsonlBytes, csvBytes, mark, again } = chunk;
  if (lines !== "") statements.writeResults.run(jobId, accountId, step, lines, jsonlBytes, csvBytes, mark);
  statements.takeNumbers.run(taken, jobId, block);
  if (again !== undefined) {
    const dueAtMs = nowMs + again.afterMs;
    statements.tryNumbersAgain.run(jobId, accountId, again.attempt, dueAtMs, again.size, again.numbers);
  }
  statements.moveJobOn.run(found, failed, charged, nowMs + chunk.leaseMs, jobId);
}
