import type { Job } from "../../../../../../src/contract/jobs.ts";
import type { Failure } from "../../../../api/failure.ts";
import { bodyOf, type Call, changeJob, readJob, readResults, startJob } from "../../../../api/publicApi.ts";
import type { Answer } from "./answers.ts";

/** The job of a list. It is stored before it is sent, so that a retry with the same key neither starts nor charges it twice. */
export interface SentJob {
  readonly key: string;
  readonly numbers: readonly string[];
  /** Absent until the service has confirmed the job. */
  readonly jobId?: string;
}

/** A list as stored in the browser. */
export interface StoredList {
  readonly accountId: string;
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sheet: number;
  readonly column: number;
  readonly headRow: number | undefined;
  readonly completes: boolean;
  readonly isEverything: boolean;
  /** Results of ended jobs, and the tokens they cost. */
  readonly answers: readonly Answer[];
  readonly spent: number;
  /** The running job; its results are at the service. */
  readonly sent?: SentJob;
  readonly expiresAtMs: number;
}

/** The storage of lists. Every method throws when it fails. */
export interface ListStorage {
  put(list: StoredList): Promise<void>;
  remove(accountId: string): Promise<void>;
}

/** The API calls of a list; tests replace them. */
export const JOB_API = {
  start: (numbers: readonly string[], kind: Job["kind"], key: string) =>
    startJob(new Blob(numbers.map((number) => `"${number}"\n`)), kind, key),
  read: readJob,
  change: changeJob,
  results: readResults,
};
export type JobApi = Readonly<typeof JOB_API>;

export function isGone({ outcome }: Call<unknown>): boolean {
  return "failure" in outcome && outcome.failure.code === "NOT_FOUND";
}

/** Pauses or resumes a job, unless it has ended. @throws {Failure} */
export async function changeOpen(api: JobApi, jobId: string, change: "pause" | "resume"): Promise<void> {
  const call = await api.change(jobId, change);
  const hasEnded = "failure" in call.outcome && call.outcome.failure.code === "INVALID_REQUEST";
  if (!hasEnded && !isGone(call)) bodyOf(call);
}

/** Cancels a job, even one that was never confirmed; the service deletes it with its results. @throws {Failure} */
export async function cancelJob(api: JobApi, sent: SentJob, isEverything: boolean): Promise<void> {
  const id = sent.jobId ?? bodyOf(await api.start(sent.numbers, kindOf(isEverything), sent.key)).id;
  if (id === undefined) return;
  const call = await api.change(id, "cancel");
  if (!isGone(call)) bodyOf(call);
}

export function kindOf(isEverything: boolean): Job["kind"] {
  return isEverything ? "lookup.enriched" : "lookup";
}

/** Why a list has stopped. `ended`: its job expired or was cancelled before all numbers were looked up. */
export type Stopped = "caller" | "allowance" | "ended" | "session" | "forbidden" | "other";

/** Why the service has paused a job. */
export const PAUSES: Readonly<Record<NonNullable<Job["reason"]>, Stopped>> = {
  caller: "caller",
  allowance: "allowance",
  account: "forbidden",
  key: "other",
  cap: "other",
};

const MAX_RETRY_MS = 60_000;

/** Why a list stops at a failure; undefined if waiting may help. */
export function stoppedBy({ code, status }: Failure): Stopped | undefined {
  if (code === "UNAUTHORIZED") return "session";
  if (code === "FORBIDDEN") return "forbidden";
  const isOurs = status >= 400 && status < 500 && code !== "RATE_LIMIT_EXCEEDED" && code !== "CONFLICT";
  return isOurs ? "other" : undefined;
}

/** Returns the wait after a failure, milliseconds. */
export function retryMs({ retryAfterSeconds = 0 }: Failure, failuresBefore: number): number {
  return Math.min(MAX_RETRY_MS, Math.max(1_000 * 2 ** failuresBefore, retryAfterSeconds * 1_000));
}
