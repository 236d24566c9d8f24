import type { Failure } from "../../api/failure.ts";
import type { FailureTexts } from "../../forms/failureTexts.ts";

/** The rate limit of a session resets within a minute; a longer wait means the limit of keys per day. */
const MAX_SESSION_WAIT_SECONDS = 60;

interface Texts {
  readonly gone: string;
  readonly originsRefused: string;
  readonly tooMany: string;
  readonly tooManyToday: (most: string, duration: string) => string;
}

/**
 * Returns the texts for refusals when a key is created, replaced or revoked.
 * @param maxADay maximum number of keys created per day, once known
 */
export function keyFailureTexts(failure: Failure | undefined, t: Texts, maxADay?: string): FailureTexts {
  const isOfDay = (failure?.retryAfterSeconds ?? 0) > MAX_SESSION_WAIT_SECONDS;
  return {
    NOT_FOUND: t.gone,
    INVALID_REQUEST: failure?.field === "origins" ? t.originsRefused : t.tooMany,
    RATE_LIMIT_EXCEEDED:
      isOfDay && maxADay !== undefined ? (wait) => t.tooManyToday(maxADay, wait) : undefined,
  };
}
