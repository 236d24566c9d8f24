import { MONITOR_BOUNDS } from "../../../../src/contract/monitors.ts";
import { asFailure } from "../../api/failure.ts";
import type { AddedMonitors } from "../../api/monitors.ts";
import { bodyOf, readJob, startJob } from "../../api/publicApi.ts";

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

/**
 * Adds numbers in calls of 100, and waits where the service is busy or limits the rate.
 * @throws {Failure}
 */
export async function addInCalls(
  numbers: readonly string[],
  add: (numbers: readonly string[]) => Promise<AddedMonitors>,
  onProgress: (progress: Progress) => void,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  let added = 0;
  for (let from = 0; from < numbers.length; from += MONITOR_BOUNDS.maxNumbers) {
    const part = numbers.slice(from, from + MONITOR_BOUNDS.maxNumbers);
    const { results } = await patiently(() => add(part), wait);
    added += results.length;
    onProgress({ done: from + part.length, added });
  }
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

/** Sends numbers as a job, and follows it until it ends or the person leaves. @throws {Failure} */
export async function followJob(
  numbers: readonly string[],
  onProgress: (progress: Progress) => void,
  isLeft: () => boolean,
): Promise<void> {
  const key = crypto.randomUUID();
  const list = new Blob(numbers.map((number) => `"${number}"\n`));
  let job = await patiently(async () => bodyOf(await startJob(list, "monitor", key)), pause);
  const { id = "" } = job;
  while (job.endedAt === undefined && !isLeft()) {
    await pause(POLL_MS);
    job = await patiently(async () => bodyOf(await readJob(id)), pause);
    onProgress({ done: job.counts.done, added: job.counts.found });
  }
}
