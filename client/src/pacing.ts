/** Many calls, one after the other, no faster than the key may. */
import { Deadline } from "./deadline.ts";
import { RateLimitExceededError } from "./errors.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** A window of the rate; a clock or a service that is wrong must not make it wait for hours. */
export const WINDOW_MS = 60_000;
const SPREAD_MS = 1_000;
/** Others may use the same key, so a call that never gets its turn fails after this. */
const MAX_WINDOWS = 10;

/**
 * One call of many: waits for the next minute when none is left in this one. The wait is not of the call's own deadline.
 * @throws {OpzoekError} as the call; RateLimitExceededError when ten minutes had no room
 */
export async function withinRate<T>(
  transport: Transport,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  for (let windows = 1; ; windows++) {
    const { rate } = transport.balance;
    const leftMs = rate?.remaining === 0 ? rate.resetAt.getTime() - Date.now() : 0;
    if (leftMs > 0) await wait(leftMs, signal);
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RateLimitExceededError) || windows >= MAX_WINDOWS) throw error;
      await wait((error.retryAfterSeconds ?? 1) * 1_000, signal);
    }
  }
}

/** The options of one of many calls: its idempotency key is its own, and stays the same however often its turn comes. */
export function ofCall<Options extends CallOptions>(
  transport: Transport,
  options: Options,
  at: number,
): Options {
  const given = options.idempotencyKey;
  const idempotencyKey = given === undefined ? transport.newIdempotencyKey(options) : `${given}-${at}`;
  return { ...options, idempotencyKey };
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return pause(Math.min(ms, WINDOW_MS) + Math.random() * SPREAD_MS, signal);
}

/** Waits between calls. @throws {AbortedError} when the signal says so */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const deadline = new Deadline(Number.MAX_SAFE_INTEGER, signal);
  try {
    await deadline.sleep(ms);
  } finally {
    deadline.close();
  }
}
