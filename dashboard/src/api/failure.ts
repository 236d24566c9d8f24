import type { ErrorCode } from "../../../src/contract/errors.ts";

/** Why a call came to nothing: an error of the service, or no answer at all. */
export type FailureCode = ErrorCode | "UNREACHABLE";

/** A call that came to nothing. The message is the service's own, for developers; people read `language/problems.ts`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfterSeconds: number | undefined;
  /** The same as a moment, Unix milliseconds. */
  readonly retryAtMs: number | undefined;
  /** The field of a form that is meant, where the service names one. */
  readonly field: string | undefined;

  constructor(
    code: FailureCode,
    status: number,
    message: string,
    { retryAfterSeconds, field }: { retryAfterSeconds?: number | undefined; field?: string | undefined } = {},
  ) {
    super(message);
    this.name = "Failure";
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.field = field;
    this.retryAtMs = retryAfterSeconds === undefined ? undefined : Date.now() + retryAfterSeconds * 1_000;
  }

  /** Whether the service is away, as opposed to an answer that is no. */
  get isOutage(): boolean {
    return this.code === "UNREACHABLE" || this.code === "SERVICE_UNAVAILABLE";
  }
}

/** What was thrown, as a failure that can be shown. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  return new Failure("INTERNAL_ERROR", 0, thrown instanceof Error ? thrown.message : String(thrown));
}

/** What a proxy says when it cannot reach the service behind it. */
const GATEWAY_STATUSES = [502, 503, 504];

/**
 * The failure that an error body of the service stands for. When it is none: UNREACHABLE where a proxy answered in the service's
 * place, else INTERNAL_ERROR.
 */
export function failureOf(
  status: number,
  body: unknown,
  { retryAfter, field }: { retryAfter?: string | null | undefined; field?: string | null } = {},
): Failure {
  const seconds = retryAfter === undefined || retryAfter === null ? Number.NaN : Number(retryAfter);
  const { code, message } = errorIn(body) ?? {
    code: GATEWAY_STATUSES.includes(status) ? ("UNREACHABLE" as const) : ("INTERNAL_ERROR" as const),
    message: `status ${status}`,
  };
  return new Failure(code, status, message, {
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    field: field ?? undefined,
  });
}

function errorIn(body: unknown): { code: ErrorCode; message: string } | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error && "message" in error))
    return undefined;
  // The service's table of errors is closed, and the page is served by the same release of it.
  return { code: error.code as ErrorCode, message: String(error.message) };
}
