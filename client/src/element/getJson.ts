import type { ErrorCode } from "../api/calls.ts";
import type { Failure } from "./failure.ts";

export type JsonAnswer<Found> = { readonly found: Found } | { readonly failure: Failure };

const TIMEOUT_MS = 8_000;

/** Statuses that are retried, also when a proxy sent them with its own page. */
const CODES: Readonly<Record<number, ErrorCode>> = { 429: "RATE_LIMIT_EXCEEDED", 503: "SERVICE_UNAVAILABLE" };

/**
 * Fetches JSON from the service.
 * @param base the address of the service; may have a path
 * @param key sent in the address if it is for browsers: it is public anyway, and a header would cause a preflight
 * request per URL (Fetch, CORS-preflight cache)
 * @param read parses a body; returns undefined when it is invalid
 * @returns undefined if `signal` aborted it
 */
export async function getJson<Found>(
  base: string,
  path: string,
  query: Readonly<Record<string, string>>,
  key: string,
  signal: AbortSignal,
  read: (body: unknown) => Found | undefined,
): Promise<JsonAnswer<Found> | undefined> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const url = new URL(base.replace(/^((?:.*[^/])?)\/*$/s, `$1${path}`), location.href);
    const isPublic = key.startsWith("opz_pub_");
    const parameters = new URLSearchParams(isPublic ? { ...query, apikey: key } : query);
    url.search = `${parameters}`;
    const response = await fetch(url, {
      credentials: "omit",
      headers: isPublic || key === "" ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    const body: unknown = await response.json().catch((error) => {
      // HTML instead of JSON is a failure of the service; an abort is not.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    });
    const found = response.ok ? read(body) : undefined;
    if (found !== undefined) return { found };
    return { failure: failureOf(response, body) };
  } catch (error) {
    if (signal.aborted) return undefined;
    const code = timeout.signal.aborted ? "TIMEOUT" : navigator.onLine ? "UNREACHABLE" : "OFFLINE";
    return { failure: { code, message: `${error}` } };
  } finally {
    clearTimeout(timer);
  }
}

function failureOf({ status, headers }: Response, body: unknown): Failure {
  const { code, message } = (body as { error?: { code?: ErrorCode; message?: string } } | null)?.error ?? {};
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return {
    code: code ?? CODES[status] ?? "BAD_ANSWER",
    message: message ?? `HTTP ${status}`,
    status,
    ...(Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}),
  };
}
