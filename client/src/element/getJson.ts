import type { ErrorCode } from "../api/calls.ts";
import type { Failure } from "./failure.ts";

export type Answer<Found> = { readonly found: Found } | { readonly failure: Failure };

const PATIENCE_MS = 8_000;

/** Where one waits and asks again, also when a proxy said so by a page of its own. */
const CODES: Readonly<Record<number, ErrorCode>> = { 429: "RATE_LIMIT_EXCEEDED", 503: "SERVICE_UNAVAILABLE" };

/**
 * Asks the service for JSON.
 * @param base the service's address; a path is kept
 * @param key in the address where it is one for browsers: those stand in every page's source, and without a header a browser asks
 *   once instead of twice, for it asks before each address that it has not seen (Fetch, CORS-preflight cache)
 * @param read parses a body; returns undefined when it is invalid
 * @returns undefined where `signal` stopped it
 */
export async function getJson<Told>(
  base: string,
  path: string,
  query: Readonly<Record<string, string>>,
  key: string,
  signal: AbortSignal,
  read: (body: unknown) => Told | undefined,
): Promise<Answer<Told> | undefined> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const url = new URL(base.replace(/\/*$/, path), location.href);
    const isPublic = key.startsWith("opz_pub_");
    const parameters = new URLSearchParams(isPublic ? { ...query, apikey: key } : query);
    url.search = `${parameters}`;
    const response = await fetch(url, {
      credentials: "omit",
      headers: isPublic || key === "" ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.any([signal, patience.signal]),
    });
    const body: unknown = await response.json().catch((error) => {
      // A page instead of JSON is a failure of the service; an abort while reading is not.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    });
    const found = response.ok ? read(body) : undefined;
    if (found !== undefined) return { found };
    return { failure: failureOf(response, body) };
  } catch (error) {
    if (signal.aborted) return undefined;
    const code = patience.signal.aborted ? "TIMEOUT" : navigator.onLine ? "UNREACHABLE" : "OFFLINE";
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
