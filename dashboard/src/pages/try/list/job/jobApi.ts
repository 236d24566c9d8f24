import type { Job } from "../../../../../../src/contract/jobs.ts";
import { type Call, changeJob, readJob, readResults, startJob } from "../../../../api/publicApi.ts";

/** Numbers that one job looks up. It is kept before it is sent: sent again under the same key, it is neither started nor charged twice. */
export interface Part {
  readonly key: string;
  readonly numbers: readonly string[];
  /** Absent until the service has confirmed the job. */
  readonly jobId?: string;
}

/** The calls that a list needs; tests bring their own. */
export const JOB_API = { start: startJob, read: readJob, change: changeJob, results: readResults };
export type JobApi = Readonly<typeof JOB_API>;

/** @throws {Failure} */
export function bodyOf<T>({ outcome }: Call<T>): T {
  if ("failure" in outcome) throw outcome.failure;
  return outcome.body;
}

export function isGone({ outcome }: Call<unknown>): boolean {
  return "failure" in outcome && outcome.failure.code === "NOT_FOUND";
}

/** Pauses or resumes a job, unless it has ended. @throws {Failure} */
export async function changeOpen(api: JobApi, jobId: string, change: "pause" | "resume"): Promise<void> {
  const call = await api.change(jobId, change);
  const hasEnded = "failure" in call.outcome && call.outcome.failure.code === "INVALID_REQUEST";
  if (!hasEnded && !isGone(call)) bodyOf(call);
}

/** Cancels the job of a part, also where its confirmation was lost; the service deletes it with its results. @throws {Failure} */
export async function cancelPart(api: JobApi, part: Part, isEverything: boolean): Promise<void> {
  const id = part.jobId ?? bodyOf(await api.start(part.numbers, kindOf(isEverything), part.key)).id;
  if (id === undefined) return;
  const call = await api.change(id, "cancel");
  if (!isGone(call)) bodyOf(call);
}

export function kindOf(isEverything: boolean): Job["kind"] {
  return isEverything ? "lookup.enriched" : "lookup";
}
