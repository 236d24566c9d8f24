import { setTimeout as pause } from "node:timers/promises";

/** What a promise gives within a time; undefined when it is late. Rejects only when the promise does in time. */
export async function inTime<T>(withinMs: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const late = pause(withinMs, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}
