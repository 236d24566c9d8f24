import { MONITOR_BOUNDS } from "../../../../src/contract/monitors.ts";
import { asFailure, type FailureCode } from "../../api/failure.ts";
import type { AddedMonitors } from "../../api/monitors.ts";
import { bodyOf, readJob, readResults, startJob } from "../../api/publicApi.ts";
import { ResultReader } from "../try/list/job/resultReader.ts";

/** Longer lists are sent as a job, which continues without the page. */
export const MAX_IN_CALLS = 1_000;
const RETRY_MS = 2_000;
const MAX_ATTEMPTS = 5;
const POLL_MS = 2_000;

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The numbers of a list that are processed, and how many of them are monitored. */
export interface Progress {
  readonly done: number;
  readonly added: number;
}

/** A line of a list that is not monitored. */
export interface Refused {
  readonly line: string;
  readonly code: FailureCode;
}

/**
 * Adds numbers in calls of 100, waits where the service is busy or limits the rate, and returns those refused.
 * @throws {Failure}
 */
export async function addInCalls(
  numbers: readonly string[],
  add: (numbers: readonly string[]) => Promise<AddedMonitors>,
  onProgress: (progress: Progress) => void,
  wait: (ms: number) => Promise<void>,
): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  let added = 0;
  for (let from = 0; from < numbers.length; from += MONITOR_BOUNDS.maxNumbers) {
    const part = numbers.slice(from, from + MONITOR_BOUNDS.maxNumbers);
    const { results, failed } = await patiently(() => add(part), wait);
    added += results.length;
    refused.push(...failed.map(({ kvkNumber, error }) => ({ line: kvkNumber, code: error.code })));
    onProgress({ done: from + part.length, added });
  }
  return refused;
}

/** Calls again after a rate limit or an outage. Adding a monitor twice changes nothing. */
export async function patiently<T>(call: () => Promise<T>, wait: (ms: number) => Promise<void>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const { code, isOutage, retryAfterSeconds = 0 } = asFailure(error);
      const mayHelp = isOutage || code === "RATE_LIMIT_EXCEEDED";
      if (!mayHelp || attempt === MAX_ATTEMPTS) throw error;
      await wait(Math.max(RETRY_MS * attempt, retryAfterSeconds * 1_000));
    }
  }
}

/**
 * Sends numbers as a job, follows it until it ends or the person leaves, and returns those refused.
 * @throws {Failure}
 */
export async function followJob(
  numbers: readonly string[],
  onProgress: (progress: Progress) => void,
  isLeft: () => boolean,
): Promise<readonly Refused[]> {
  const key = crypto.randomUUID();
  const list = new Blob(numbers.map((number) => `"${number}"\n`));
  let job = await patiently(async () => bodyOf(await startJob(list, "monitor", key)), pause);
  const { id = "" } = job;
  while (job.endedAt === undefined && !isLeft()) {
    await pause(POLL_MS);
    job = await patiently(async () => bodyOf(await readJob(id)), pause);
    onProgress({ done: job.counts.done, added: job.counts.found });
  }
  const refused: Refused[] = [];
  if (isLeft() || job.counts.failed === 0) return refused;
  const reader = new ResultReader({ api: { results: readResults }, nextTask: () => pause(0) }, id, numbers);
  await reader.read(job.counts.done, (answers) => {
    for (const answer of answers) {
      if ("error" in answer) refused.push({ line: answer.key, code: answer.error.code as FailureCode });
    }
  });
  return refused;
}
