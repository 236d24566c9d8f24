import type { Failure } from "../../api/failure.ts";
import type { Formats } from "../../language/formats.ts";

/** The limits of a session end with the minute: what lasts longer is the limit of a day's keys. */
const LONGEST_MINUTE_SECONDS = 60;

interface Texts {
  readonly gone: string;
  readonly originsRefused: string;
  readonly tooMany: string;
  readonly tooManyToday: (most: string, duration: string) => string;
}

/** What a failure means where a key was the matter. `mostADay`: keys that may be made a day, where that is known. */
export function keyProblem(
  failure: Failure | undefined,
  t: Texts,
  formats: Pick<Formats, "duration" | "number">,
  mostADay?: number,
): string | undefined {
  const { code, retryAfterSeconds = 0 } = failure ?? {};
  if (code === "NOT_FOUND") return t.gone;
  if (failure?.field === "origins") return t.originsRefused;
  const isOfDay = code === "RATE_LIMIT_EXCEEDED" && retryAfterSeconds > LONGEST_MINUTE_SECONDS;
  if (isOfDay && mostADay !== undefined) {
    return t.tooManyToday(formats.number(mostADay), formats.duration(retryAfterSeconds));
  }
  return code === "INVALID_REQUEST" ? t.tooMany : undefined;
}
