import type { ErrorCode } from "../api/calls.ts";

/** Why there is no response: an error code of the API, or a network failure. */
export interface Failure {
  readonly code: ErrorCode | "OFFLINE" | "UNREACHABLE" | "TIMEOUT" | "BAD_ANSWER";
  readonly message: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
}
