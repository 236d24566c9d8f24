import { reportAway, reportBack } from "../connection/connection.ts";
import { Failure, failureOf } from "./failure.ts";

type Method = "GET" | "POST" | "DELETE";

const listeners = new Set<() => void>();

/** Tells `listener` when a call found no session any more; returns how to stop that. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Calls the service that served this page. The answer is taken to be a `T` without a look: the service writes it by the
 * same schema that `T` comes from.
 * @throws {Failure} for every answer that is no success, and for none
 */
export async function send<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const { response, parsed } = await received(method, path, body);
  if (response.ok) {
    reportBack();
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

/** An answer that is read without a session and whatever its status. @throws {Failure} UNREACHABLE */
export async function readAnything(
  path: string,
): Promise<{ readonly status: number; readonly text: string; readonly body: unknown }> {
  const { response, text, parsed } = await received("GET", path, undefined);
  return { status: response.status, text, body: parsed };
}

const PROBE_MS = 10_000;

/** Whether the service can answer a person again. @throws {Failure} when it cannot */
export async function probeService(): Promise<void> {
  const response = await fetch("/account/session", {
    signal: AbortSignal.timeout(PROBE_MS),
    cache: "no-store",
  });
  if (response.status >= 500) throw failureOf(response.status, undefined);
}

/** A change that is refused for a moment tells nothing of the rest; a view that cannot be read does. */
function report({ code, isOutage }: Failure, method: Method): void {
  if (code === "UNREACHABLE" || (isOutage && method === "GET")) reportAway(probeService);
  else if (!isOutage) reportBack();
}

interface Received {
  readonly response: Response;
  readonly text: string;
  /** The text as JSON; undefined when it is none. */
  readonly parsed: unknown;
}

async function received(method: Method, path: string, body: unknown): Promise<Received> {
  try {
    const response = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    return { response, text, parsed: text === "" ? undefined : parse(text) };
  } catch (error) {
    reportAway(probeService);
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
