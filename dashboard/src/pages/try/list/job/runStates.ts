import type { Job } from "../../../../../../src/contract/jobs.ts";
import type { Failure } from "../../../../api/failure.ts";
import type { Run, Stopped } from "../protocol.ts";

const MAX_RETRY_MS = 60_000;

/** Why a list stops at a failure; undefined for one that waiting may help. */
export function stoppedBy({ code, status }: Failure): Stopped | undefined {
  if (code === "UNAUTHORIZED") return "session";
  if (code === "FORBIDDEN") return "forbidden";
  const isOurs = status >= 400 && status < 500 && code !== "RATE_LIMIT_EXCEEDED" && code !== "CONFLICT";
  return isOurs ? "other" : undefined;
}

/** Why a job of the service is paused, as the page shows it. */
export const PAUSES: Readonly<Record<NonNullable<Job["reason"]>, Stopped>> = {
  caller: "caller",
  allowance: "allowance",
  account: "forbidden",
  key: "other",
  cap: "other",
};

/** How long to wait after a failure, by how many came before it. */
export function retryMs({ retryAfterSeconds = 0 }: Failure, failuresBefore: number): number {
  return Math.min(MAX_RETRY_MS, Math.max(1_000 * 2 ** failuresBefore, retryAfterSeconds * 1_000));
}

export const NEW_RUN: Run = {
  phase: "running",
  isEverything: false,
  done: 0,
  found: 0,
  notFound: 0,
  noAnswer: 0,
  spent: 0,
  remaining: undefined,
  isInParts: false,
  isAway: false,
  isSlow: false,
  stopped: undefined,
  goesOnUntil: undefined,
  isKept: true,
};
