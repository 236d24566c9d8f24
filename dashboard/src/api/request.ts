import { reportAnswer, reportOutage } from "../connection/connection.ts";
import { Failure, failureOf } from "./failure.ts";

type Method = "GET" | "POST" | "DELETE";

const listeners = new Set<() => void>();

/** Calls `listener` when a call finds that the session has ended; returns the unsubscribe function. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Calls the service that served this page. A body is sent as JSON, a list (a blob) as JSON lines. The response is not
 * validated: `T` comes from the schema by which the service writes it.
 * @throws {Failure} for an error response, or no response
 */
export async function send<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const { response, parsed } = await received(method, path, body);
  if (response.ok) {
    reportAnswer();
    return parsed as T;
  }
  const failure = failureOf(response.status, parsed, {
    retryAfter: response.headers.get("retry-after"),
    field: response.headers.get("x-error-field"),
  });
  report(failure, method);
  if (failure.code === "UNAUTHORIZED" && path !== "/account/sign-in") {
    for (const listener of listeners) listener();
  }
  throw failure;
}

/** Reads any response, whatever its status. @throws {Failure} UNREACHABLE */
export async function readAny(
  path: string,
): Promise<{ readonly status: number; readonly text: string; readonly body: unknown }> {
  const { response, text, parsed } = await received("GET", path, undefined);
  return { status: response.status, text, body: parsed };
}

const PROBE_MS = 10_000;

/** Checks that the service answers again. @throws {Failure} when it does not */
export async function probeService(): Promise<void> {
  const response = await fetch("/account/session", {
    signal: AbortSignal.timeout(PROBE_MS),
    cache: "no-store",
  });
  if (response.status >= 500) throw failureOf(response.status, undefined);
}

/** A busy response to a change is no sign of an outage; one to a read is. */
function report({ code, isOutage }: Failure, method: Method): void {
  if (code === "UNREACHABLE" || (isOutage && method === "GET")) reportOutage(probeService);
  else if (!isOutage) reportAnswer();
}

interface Received {
  readonly response: Response;
  readonly text: string;
  /** The parsed JSON; undefined when the text is not JSON. */
  readonly parsed: unknown;
}

async function received(method: Method, path: string, body: unknown): Promise<Received> {
  try {
    const response = await fetch(path, {
      method,
      ...(body instanceof Blob
        ? { body, headers: { "content-type": "application/x-ndjson" } }
        : body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    return { response, text, parsed: text === "" ? undefined : parse(text) };
  } catch (error) {
    reportOutage(probeService);
    throw new Failure("UNREACHABLE", 0, error instanceof Error ? error.message : String(error));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
