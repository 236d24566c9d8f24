import { MONITOR_BOUNDS } from "../../../../src/contract/monitors.ts";
import { asFailure, type FailureCode } from "../../api/failure.ts";
import type { AddedMonitors } from "../../api/monitors.ts";

/** Longer lists are sent as a job, which continues without the page. */
export const MAX_IN_CALLS = 1_000;
const RETRY_MS = 2_000;
const MAX_ATTEMPTS = 5;

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
