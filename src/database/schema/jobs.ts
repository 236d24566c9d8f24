import type { Generated } from "kysely";
import type { JobKind, JobStatus, PauseReason, UsedColumns } from "../../contract/jobs.ts";
import { accountTable, bigint, json, mark, storeTable, text } from "./table.ts";

/** The tables of lists. */
export const JOB_TABLES = {
  jobs: accountTable("at once", ["id"], {
    id: text(),
    account_id: text(),
    key_id: text(),
    /** 1: sent with a test key, so that its numbers are answered and counted as with that key. */
    is_test: mark(),
    kind: text<JobKind>(),
    /** `receiving` while the upload is being stored; such a list is not shown. */
    status: text<JobStatus | "receiving">(),
    reason: text<PauseReason | null>(),
    /** Sent numbers, and the number of duplicates among them. */
    sent: bigint(),
    duplicates: bigint(),
    /** The maximum cost of all its numbers. */
    estimated: bigint(),
    found: bigint(),
    failed: bigint(),
    charged: bigint(),
    max_tokens: bigint<number | null>(),
    webhook: text<string | null>(),
    /** As JSON; null if the list has none. */
    columns: json<UsedColumns, Generated<string | null>>(),
    created_at_ms: bigint(),
    started_at_ms: bigint<number | null>(),
    ended_at_ms: bigint<number | null>(),
    /** Counts processed chunks, and claims by workers. */
    step: bigint(),
    claim: bigint(),
    lease_until_ms: bigint(),
    /** When it is processed next; null if it is paused or has ended. */
    due_at_ms: bigint<number | null>(),
    /** When its account was last served, by this list. */
    served_at_ms: bigint(),
  }),
  /** Numbers that were sent, deleted when their list ends. */
  job_blocks: accountTable({ of: "job_id", key: "block", text: "numbers" }, ["job_id", "block"], {
    job_id: text(),
    account_id: text(),
    block: bigint(),
    /** Earlier attempts at its numbers. */
    attempt: bigint(),
    due_at_ms: bigint(),
    size: bigint(),
    /** The number of processed items. */
    taken: bigint(),
    /** A list of texts as JSON. */
    numbers: text(),
  }),
  job_results: accountTable({ of: "job_id", key: "step", text: "lines" }, ["job_id", "step"], {
    job_id: text(),
    account_id: text(),
    step: bigint(),
    /** JSON lines. */
    lines: text(),
    jsonl_bytes: bigint(),
    csv_bytes: bigint(),
    /** The version of the suppression list that they were checked against. */
    mark: text(),
  }),
  /** One row; see `jobs/queries/listTotals.ts`. */
  list_totals: storeTable(["name"], {
    name: text(),
    /** Upper bounds of the numbers in lists of all accounts, and of accounts of free tiers. */
    numbers: bigint(),
    free_numbers: bigint(),
    counted_at_ms: bigint(),
  }),
} as const;

/** The statuses of a list that has neither ended nor been cancelled. */
const OPEN_JOBS: readonly JobStatus[] = ["queued", "running", "paused"];

/** Whether a list has neither ended nor been cancelled. */
export function isOpenJob(status: unknown): boolean {
  return OPEN_JOBS.some((open) => open === status);
}
