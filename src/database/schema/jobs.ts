import type { Generated } from "kysely";
import type { JobKind, JobStatus, PauseReason } from "../../contract/jobs.ts";
import type { KvkNumber } from "../../contract/numbers.ts";

/** The tables of lists, and of the messages that report their end. */
export interface JobTables {
  jobs: {
    id: string;
    account_id: string;
    key_id: string;
    /** 1: sent with a test key, so that its numbers are answered and counted as with that key. */
    is_test: number;
    kind: JobKind;
    /** `receiving` while the upload is being stored; such a list is not shown. */
    status: JobStatus | "receiving";
    reason: PauseReason | null;
    /** Sent numbers, and the number of duplicates among them. */
    sent: number;
    duplicates: number;
    /** The maximum cost of all its numbers. */
    estimated: number;
    found: number;
    failed: number;
    charged: number;
    max_tokens: number | null;
    webhook: string | null;
    /** As JSON; null if the list has none. */
    columns: Generated<string | null>;
    created_at_ms: number;
    started_at_ms: number | null;
    ended_at_ms: number | null;
    /** Counts processed chunks, and claims by workers. */
    step: number;
    claim: number;
    lease_until_ms: number;
    /** When it is processed next; null if it is paused or has ended. */
    due_at_ms: number | null;
    /** When its account was last served, by this list. */
    served_at_ms: number;
  };
  /** Numbers that were sent, deleted when their list ends. */
  job_blocks: {
    job_id: string;
    account_id: string;
    block: number;
    /** Earlier attempts at its numbers. */
    attempt: number;
    due_at_ms: number;
    size: number;
    /** The number of processed ones. */
    taken: number;
    /** A list of texts as JSON. */
    numbers: string;
  };
  job_results: {
    job_id: string;
    account_id: string;
    step: number;
    /** JSON lines. */
    lines: string;
    jsonl_bytes: number;
    csv_bytes: number;
    /** The version of the suppression list that they were checked against. */
    mark: string;
  };
  /** One row; see `jobs/queries/listTotals.ts`. */
  list_totals: {
    name: string;
    /** An upper bound of the numbers in lists of all accounts, and of those of free tiers. */
    numbers: number;
    free_numbers: number;
    counted_at_ms: number;
  };
  /** Secrets are derived from these and a secret of the service: these rows alone cannot sign. */
  webhook_secrets: {
    account_id: string;
    seed: string;
    made_at_ms: number;
    /** Null for the current one. */
    ends_at_ms: number | null;
  };
  /** A message waiting to be delivered. */
  webhook_messages: {
    id: string;
    account_id: string;
    url: string;
    payload: string;
    due_at_ms: number;
    drop_at_ms: number;
    failures: number;
    claims: number;
    /** The company of a message that a caller asked for as a test; null for other messages. */
    test_of: Generated<KvkNumber | null>;
    /** The monitor whose webhook gets the message; null for messages about lists, and about monitors that have ended. */
    monitor_id: Generated<string | null>;
  };
  /** One row: how long the clock has run evenly; see `webhooks/clockWatch.ts`. */
  clock_watch: {
    id: number;
    since_ms: number;
    seen_ms: number;
  };
}

/** The statuses of a list that has neither ended nor been cancelled. */
const OPEN_JOBS: readonly JobStatus[] = ["queued", "running", "paused"];

/** Whether a list has neither ended nor been cancelled. */
export function isOpenJob(status: unknown): boolean {
  return OPEN_JOBS.some((open) => open === status);
}
