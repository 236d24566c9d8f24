import type { ErrorCode } from "../api/calls.ts";

/** Why there is no answer: a code of the API, or what happened on the way to it. */
export interface Failure {
  readonly code: ErrorCode | "OFFLINE" | "UNREACHABLE" | "TIMEOUT" | "BAD_ANSWER";
  readonly message: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}
