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
  const response = await fetched(method, path, body);
  const text = await response.text();
  const parsed: unknown = text === "" ? undefined : parse(text);
  if (response.ok) return parsed as T;
  const failure = failureOf(response.status, parsed, response.headers.get("retry-after"));
  if (failure.code === "UNAUTHORIZED" && path !== "/account/sign-in") {
    for (const listener of listeners) listener();
  }
  throw failure;
}

async function fetched(method: Method, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch (error) {
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
