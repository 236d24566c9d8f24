import type { Response } from "./pool.ts";

const SECONDS = /^[0-9]+$/;
/** The forms of a date that RFC 9110, section 5.6.7, has recipients accept; all of them are GMT. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*[0-9]{2}:[0-9]{2}:[0-9]{2}/;
/** Longer ones are of no use to anyone who waits. */
const MAX_SECONDS = 86_400;

/**
 * The `Retry-After` of a response, whole seconds; undefined when there is none to wait for: absent, zero, past or unreadable. A date counts
 * from the response's own `Date`, as the clocks need not agree.
 */
export function retryAfterSeconds({ headers }: Pick<Response, "headers">): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  const seconds = SECONDS.test(text)
    ? Number(text)
    : (dateMs(text) - (dateMs(headers["date"] ?? "") || Date.now())) / 1_000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), MAX_SECONDS) : undefined;
}

/** Unix milliseconds; NaN for what is no date. */
function dateMs(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
}
