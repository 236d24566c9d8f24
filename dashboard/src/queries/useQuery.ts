import { useCallback, useEffect, useRef, useState } from "react";
import { asFailure, type Failure } from "../api/failure.ts";
import { onReconnect } from "../connection/connection.ts";

/** The state of a query. The value stays during a reload, so that nothing jumps. */
export type QueryState<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly failure: Failure }
  | { readonly state: "ready"; readonly value: T };

export interface Query<T> {
  readonly now: QueryState<T>;
  /** The result; undefined while loading, and after a failure. */
  readonly value: T | undefined;
  readonly reload: () => void;
  /** Replaces the value by a newer one from another call. */
  readonly take: (value: T) => void;
}

/**
 * Reads a value on mount and whenever `key` changes. It retries after an outage and after a rate limit.
 */
export function useQuery<T>(read: () => Promise<T>, key = ""): Query<T> {
  const [settled, setSettled] = useState<{ readonly request: string; readonly now: QueryState<T> }>();
  const [round, setRound] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const request = `${round} ${key}`;
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    let isStale = false;
    let stopWaiting = () => {};
    const settle = (now: QueryState<T>) => {
      if (!isStale) setSettled({ request, now });
    };
    latest.current().then(
      (value) => settle({ state: "ready", value }),
      (error) => {
        if (isStale) return;
        const failure = asFailure(error);
        // At once, not after rendering: the service may be back before that.
        stopWaiting = retryAfter(failure, reload);
        settle({ state: "failed", failure });
      },
    );
    return () => {
      isStale = true;
      stopWaiting();
    };
  }, [request, reload]);
  const take = useCallback((value: T) => setSettled({ request, now: { state: "ready", value } }), [request]);
  const now: QueryState<T> = settled?.now ?? { state: "loading" };
  return { now, value: now.state === "ready" ? now.value : undefined, reload, take };
}

/** Calls `reload` when the cause of the failure is over; returns the function that cancels it. */
function retryAfter({ isOutage, code, retryAtMs }: Failure, reload: () => void): () => void {
  if (isOutage) return onReconnect(reload);
  if (code !== "RATE_LIMIT_EXCEEDED" || retryAtMs === undefined) return () => {};
  const timer = setTimeout(reload, Math.max(0, retryAtMs - Date.now()));
  return () => clearTimeout(timer);
}
