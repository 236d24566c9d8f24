import { type ErrorCode, REGISTRY_UNAVAILABLE } from "../../../src/contract/errors.ts";

/** Why a call failed: an error code of the service, or no response at all. */
export type FailureCode = ErrorCode | "UNREACHABLE";

/** A failed call. The message is for developers; `language/problems.ts` has the texts that people see. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  /** Seconds to wait before a retry, if the service sent `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The same as a time, Unix milliseconds. */
  readonly retryAtMs: number | undefined;
  /** The invalid form field, if the service names one. */
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

  /** Whether the service is unavailable, as opposed to a refusal. Without a registry, the rest of it works. */
  get isOutage(): boolean {
    return (
      this.code === "UNREACHABLE" || (this.code === "SERVICE_UNAVAILABLE" && this.registryIs === undefined)
    );
  }

  /** Why the registry cannot answer, if the service says so. */
  get registryIs(): keyof typeof REGISTRY_UNAVAILABLE | undefined {
    if (this.message === REGISTRY_UNAVAILABLE.noRegistry) return "noRegistry";
    return this.message === REGISTRY_UNAVAILABLE.namesNotIndexed ? "namesNotIndexed" : undefined;
  }
}

/** Converts anything thrown to a failure that can be shown. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  return new Failure("INTERNAL_ERROR", 0, thrown instanceof Error ? thrown.message : String(thrown));
}

/** Sent by a proxy that cannot reach the service. */
const GATEWAY_STATUSES = [502, 503, 504];

/**
 * Returns the failure of an error response. Without a valid error body it is UNREACHABLE for the statuses of a proxy,
 * otherwise INTERNAL_ERROR.
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
  // The page is served by the same release of the service, so it knows every error code.
  return { code: error.code as ErrorCode, message: String(error.message) };
}
