const SECONDS = /^[0-9]+$/;
/** The date formats that RFC 9110, section 5.6.7, requires recipients to accept; all are GMT. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*[0-9]{2}:[0-9]{2}:[0-9]{2}/;
const MAX_SECONDS = 86_400;

/**
 * The `Retry-After` of a response in whole seconds, at most a day; undefined when it is absent, zero, in the past or
 * invalid. A date counts from the response's own `Date`, because clocks may differ.
 * @param response headers by their names in lower case
 */
export function retryAfterSeconds({
  headers,
}: {
  readonly headers: Readonly<Record<string, unknown>>;
}): number | undefined {
  const { "retry-after": after = "", date = "" } = headers;
  const text = String(after).trim();
  const seconds = SECONDS.test(text)
    ? Number(text)
    : (dateMs(text) - (dateMs(String(date)) || Date.now())) / 1_000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), MAX_SECONDS) : undefined;
}

/** Unix milliseconds; NaN when the text is not a date. */
function dateMs(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
}
