import type { Failure } from "../../api/failure.ts";
import type { Formats } from "../../language/formats.ts";

/** The limits of a session end with the minute: what lasts longer is the limit of a day's keys. */
const LONGEST_MINUTE_SECONDS = 60;

interface Texts {
  readonly gone: string;
  readonly tooMany: string;
  readonly tooManyToday: (duration: string) => string;
}

/** What a failure means where a key was the matter. */
export function keyProblem(
  failure: Failure | undefined,
  t: Texts,
  formats: Pick<Formats, "duration">,
): string | undefined {
  const { code, retryAfterSeconds = 0 } = failure ?? {};
  if (code === "NOT_FOUND") return t.gone;
  if (code === "RATE_LIMIT_EXCEEDED" && retryAfterSeconds > LONGEST_MINUTE_SECONDS) {
    return t.tooManyToday(formats.duration(retryAfterSeconds));
  }
  return code === "INVALID_REQUEST" ? t.tooMany : undefined;
}
