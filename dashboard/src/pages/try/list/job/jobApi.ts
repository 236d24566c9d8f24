import type { Job } from "../../../../../../src/contract/jobs.ts";
import type { Failure } from "../../../../api/failure.ts";
import { bodyOf, type Call } from "../../../../api/publicApi.ts";
import type { Added } from "./added.ts";
import type { Answer } from "./answers.ts";
import type { StoredFile } from "./source.ts";

/**
 * The job of a list. It is stored before it is sent, so that a retry with the same key neither starts nor charges it
 * twice.
 */
export interface SentJob {
  readonly idempotencyKey: string;
  /** The keys of the list that the job processes. */
  readonly keys: readonly string[];
  /** The maximum that it may cost. */
  readonly maxTokens?: number;
  /** Absent until the service has confirmed the job. */
  readonly jobId?: string;
}

/** A list as stored in the browser. Its answers and choices are stored separately. */
export interface StoredList extends StoredFile {
  readonly accountId: string;
  readonly name: string;
  readonly adds: Added;
  /** The maximum that the list may cost. */
  readonly maxTokens?: number | undefined;
  /** The tokens that ended jobs cost. */
  readonly spent: number;
  /** The number of stored answers of ended jobs. */
  readonly answered: number;
  /** The running job; its results are at the service. */
  readonly sent?: SentJob;
  readonly expiresAtMs: number;
}

/** The storage of lists. Every method throws when it fails. */
export interface ListStorage {
  put(list: StoredList): Promise<void>;
  putAnswers(accountId: string, answers: readonly Answer[]): Promise<void>;
  remove(accountId: string): Promise<void>;
}

/** The API calls of a list; tests replace them. */
export interface JobApi {
  readonly start: (list: StoredList, sent: SentJob) => Promise<Call<Job>>;
  readonly read: (jobId: string) => Promise<Call<Job>>;
  /** @param maxTokens a new maximum */
  readonly change: (
    jobId: string,
    change: "pause" | "resume" | "cancel",
    maxTokens?: number,
  ) => Promise<Call<Job>>;
  /** Reads a range of bytes of the results, both ends included. */
  readonly results: (jobId: string, from: number, to: number) => Promise<Call<string>>;
}

/** The dependencies of a list; tests replace them. */
export interface RunParts {
  readonly api: JobApi;
  /** Undefined if the browser has no storage. */
  readonly keeper: ListStorage | undefined;
  readonly now: () => number;
  /** Resolves after this time, or when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Resolves in a later task of the browser. */
  readonly nextTask: () => Promise<void>;
  /** Called after each change. */
  readonly changed: (event?: "discarded" | "replanned") => void;
}

export function isGone({ outcome }: Call<unknown>): boolean {
  return "failure" in outcome && outcome.failure.code === "NOT_FOUND";
}

/** Pauses or resumes a job, unless it has ended. @throws {Failure} */
export async function changeOpen(api: JobApi, ...change: Parameters<JobApi["change"]>): Promise<void> {
  const call = await api.change(...change);
  const hasEnded = "failure" in call.outcome && call.outcome.failure.code === "INVALID_REQUEST";
  if (!hasEnded && !isGone(call)) bodyOf(call);
}

/** Cancels a job, even one that was never confirmed; the service deletes it with its results. @throws {Failure} */
export async function cancelJob(api: JobApi, list: StoredList, sent: SentJob): Promise<void> {
  const id = sent.jobId ?? bodyOf(await api.start(list, sent)).id;
  if (id === undefined) return;
  const call = await api.change(id, "cancel");
  if (!isGone(call)) bodyOf(call);
}

/**
 * Why a list has stopped. `cap`: it has cost its maximum; `ended`: its job expired or was cancelled before it was
 * complete.
 */
export type Stopped = "caller" | "allowance" | "cap" | "ended" | "session" | "forbidden" | "other";

/** Why the service has paused a job. */
export const PAUSES: Readonly<Record<NonNullable<Job["reason"]>, Stopped>> = {
  caller: "caller",
  allowance: "allowance",
  account: "forbidden",
  key: "other",
  cap: "cap",
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

const DAY_MS = 86_400_000;
/** Since the last change. An unconfirmed job is resent only while the service still knows its key, at least a week. */
const KEEP_DAYS = 7;
/** A job ends within 35 days, and its results are kept for a week. */
const KEEP_OPEN_DAYS = 42;

/** How long a list is kept, milliseconds. */
export function keptMs(sent: SentJob | undefined): number {
  return DAY_MS * (sent?.jobId === undefined ? KEEP_DAYS : KEEP_OPEN_DAYS);
}
