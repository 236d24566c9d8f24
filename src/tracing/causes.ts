/**
 * Why spans were lost, in words for the log. What a collector wrote is in none of them, nor what an error repeats of a header: either may hold the
 * key that the collector was sent.
 */

export const ENDED = "the service ended before they were taken";
const DROPPED =
  "more ended than could wait: the collector is too slow, or OTEL_TRACES_SAMPLER_ARG too high for it";
const REFUSED = "refused by the collector, whose log says why";
const UNREADABLE = "an answer that no collector gives: something else may listen there";
const UNKNOWN = "an unknown error";
const MOST_TOLD = 4;

/** What the library says without the status that it was answered with. */
const LIBRARY_WORDS: ReadonlyMap<string, string> = new Map([
  ["Export failed with retryable status", "HTTP 429, 502, 503 or 504, also when it was tried again"],
]);

/** Why a batch could not be sent. Never empty. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return UNKNOWN;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return [...new Set(error.errors.map(causeOf))].slice(0, MOST_TOLD).join(", ");
  }
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "number") return `HTTP ${code}`;
  // What the system says names a host at most; what is wrong with a header is told with the header.
  if (typeof code === "string" && !("syscall" in error && error.message !== "")) return code;
  return LIBRARY_WORDS.get(error.message) ?? (error.message || error.name);
}

/** The loss that the library warns of, as it has no other way to tell of it. */
export function heardLoss(
  message: string,
  [details]: readonly unknown[],
): { readonly cause: string; readonly spans: number } | undefined {
  const dropped = /^Dropped ([0-9]+) spans because maxQueueSize reached$/.exec(message)?.[1];
  if (dropped !== undefined) return { cause: DROPPED, spans: Number(dropped) };
  if (message.startsWith("Failed to parse trace export response")) return { cause: UNREADABLE, spans: 0 };
  if (!message.startsWith("Received Partial Success response")) return undefined;
  const spans = rejectedIn(details);
  // Without any that were rejected it is advice.
  return spans > 0 ? { cause: REFUSED, spans } : undefined;
}

/** A number of 64 bits, which JSON has as a text; some write a number. */
function rejectedIn(details: unknown): number {
  if (typeof details !== "string") return 0;
  return Number(/"rejectedSpans":"?([0-9]{1,15})\b/.exec(details)?.[1] ?? 0);
}
