/** Sends many calls in sequence, within the key's rate. */
import { Deadline } from "./deadline.ts";
import { RateLimitExceededError } from "./errors.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** The rate window. Waits are capped at it, so that a wrong clock or service cannot cause a wait of hours. */
export const WINDOW_MS = 60_000;
const SPREAD_MS = 1_000;
/** Others may use up the rate of the same key. After this many windows the call fails. */
const MAX_WINDOWS = 10;

/**
 * Makes one of many calls; waits for the next minute if none is left in this one. The wait does not count for the
 * call's deadline.
 * @throws {OpzoekError} that of the call; RateLimitExceededError after ten minutes
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

/** Returns the options of one of many calls, with an idempotency key of its own that all its tries share. */
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

/** Waits between calls. @throws {AbortedError} when the signal aborts */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const deadline = new Deadline(Number.MAX_SAFE_INTEGER, signal);
  try {
    await deadline.sleep(ms);
  } finally {
    deadline.close();
  }
}
