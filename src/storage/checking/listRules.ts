/** What must hold of lists that are worked off. */
import { sql } from "kysely";
import {
  JOB_BOUNDS,
  JOB_KINDS,
  JOB_OPERATIONS,
  type PauseReason,
  priceOfNumber,
} from "../../contract/jobs.ts";
import { OPEN_JOBS } from "../jobTables.ts";
import { RECEIVED_WITHIN_MS } from "../queries/jobResults.ts";
import { LONGEST_LEASE_MS } from "../queries/jobWork.ts";
import { isNotLeft } from "../queries/owners.ts";
import type { Rule } from "./rule.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Longer than anything about a list is put off. */
const LATEST_DUE_MS = 2 * DAY_MS;
/** Results of a list that is older may be on their way out, as those of one that was cancelled are. */
const RESULTS_ARE_THERE_MS = (JOB_BOUNDS.resultDays - 1) * DAY_MS;
const REPORT = "report this, with the version; the list can be cancelled and sent again";

const OPEN = sql.join(OPEN_JOBS);
/** A pause that ends by itself, and one that somebody must end. */
const ENDS_BY_ITSELF: readonly PauseReason[] = ["allowance", "account"];
const GOES_ON = sql`(status in ('queued', 'running') or (status = 'paused' and reason in (${sql.join(ENDS_BY_ITSELF)})))`;

/** Every number of a list is either left to be worked or has its result, and what was sent goes with its end. */
function progress(): Rule {
  const left = sql`coalesce((select sum(size - taken) from job_blocks where job_blocks.job_id = jobs.id), 0)`;
  return {
    name: "progress of lists",
    meaning: `a list has numbers that are neither left nor answered, or more than were sent, or has ended and still holds what was sent: ${REPORT}`,
    broken: sql`
      select id as what from jobs
      where (status in (${OPEN}) and (ended_at_ms is not null or ${left} <> sent - duplicates - found - failed))
        or (status = 'completed' and found + failed <> sent - duplicates)
        or (status not in (${OPEN}) and status <> 'receiving' and (ended_at_ms is null or ${left} <> 0))
        or found < 0 or failed < 0 or found + failed > sent - duplicates
      union select 'a block of ' || job_id from job_blocks
      where taken < 0 or taken > size
        or (${isNotLeft("job_blocks")} and not exists (select 1 from jobs where jobs.id = job_blocks.job_id))`,
  };
}

/** A list is held for seconds, and is due as long as it is to go on. */
function claims(nowMs: number, latestCallMs: number): Rule {
  const receivedByMs = Math.min(nowMs, latestCallMs) - RECEIVED_WITHIN_MS - HOUR_MS;
  return {
    name: "claims of lists",
    meaning: `a list is held for longer than any may be, as by a clock that was ahead, or nobody will ever work on it, or it was never received whole and not deleted: put the clock right and see that a service runs on this state, then ${REPORT}`,
    broken: sql`
      select id as what from jobs
      where lease_until_ms > ${nowMs + LONGEST_LEASE_MS} or due_at_ms > ${nowMs + LATEST_DUE_MS}
        or (${GOES_ON} and due_at_ms is null) or (not ${GOES_ON} and due_at_ms is not null)
        or (status = 'paused') <> (reason is not null)
        or (status = 'receiving' and created_at_ms < ${receivedByMs})
      union select 'a block of ' || job_id from job_blocks where due_at_ms > ${nowMs + LATEST_DUE_MS}`,
  };
}

/** There is a line for each number that was answered, as long as as it is said to be. */
function results(nowMs: number): Rule {
  const lines = sql`coalesce((
    select sum(length(lines) - length(replace(lines, ${"\n"}, ''))) from job_results where job_results.job_id = jobs.id
  ), 0)`;
  return {
    name: "results of lists",
    meaning: `results belong to no list, or are more or fewer than their list says, or of another length, so that a download breaks off: ${REPORT}`,
    broken: sql`
      select id as what from jobs
      where status <> 'cancelled' and coalesce(ended_at_ms, ${nowMs}) > ${nowMs - RESULTS_ARE_THERE_MS}
        and ${lines} <> found + failed
      union select 'step ' || step || ' of ' || job_id from job_results
      where octet_length(lines) <> jsonl_bytes or csv_bytes < 0
        or (${isNotLeft("job_results")} and not exists (
          select 1 from jobs where jobs.id = job_results.job_id and jobs.account_id = job_results.account_id
            and jobs.step > job_results.step))`,
  };
}

/** What lists were charged is in the ledger, at the price of what they found and below their caps. */
function charges(): Rule {
  const prices = sql.join(
    JOB_KINDS.map((kind) => sql`when ${kind} then ${sql.lit(priceOfNumber(kind))}`),
    sql` `,
  );
  return {
    name: "charges of lists",
    meaning:
      "a list was charged more than what it found costs, than its cap, or than the ledger holds of its account: restore the last good backup into another DATA_DIR, compare the two, and report this",
    broken: sql`
      select id as what from jobs
      where charged < 0 or charged > found * (case kind ${prices} end) or charged > coalesce(max_tokens, charged)
      ${beyondLedger()}`,
  };
}

function beyondLedger() {
  const operations = sql.join(
    JOB_KINDS.map((kind) => sql`when ${kind} then ${JOB_OPERATIONS[kind]}`),
    sql` `,
  );
  return sql`
    union select account_id || ', ' || operation from (
      select account_id, is_test, case kind ${operations} end as operation, sum(charged) as charged from jobs
      group by account_id, is_test, kind
    ) as held
    where charged > coalesce((
      select sum(tokens) from ledger as lines
      where lines.account_id = held.account_id and lines.is_test = held.is_test and lines.operation = held.operation), 0)`;
}

/** @param nowMs by the store's clock */
export function listRules(nowMs: number, latestCallMs: number): readonly Rule[] {
  return [progress(), claims(nowMs, latestCallMs), results(nowMs), charges()];
}
