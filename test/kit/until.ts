import { setTimeout as wait } from "node:timers/promises";
import { dutchDayEndMs } from "../../src/kvk/budget/dutchDay.ts";

const ASK_EVERY_MS = 25;
/** Long enough to fail only if the event never happens, even at a tenth of the usual speed. */
const WITHIN_MS = 120_000;

/**
 * Polls until `check` returns something other than undefined or false.
 * @throws {Error} with `what` if that does not happen within `withinMs`
 */
export async function until<T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = WITHIN_MS,
): Promise<T> {
  const endsMs = performance.now() + withinMs;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() >= endsMs) throw new Error(`this did not happen within ${withinMs} ms: ${what}`);
    await wait(ASK_EVERY_MS);
  }
}

const END_MARGIN_MS = 120_000;
const DAY_MS = 86_400_000;

/** Waits past the end of the month if it is near: tests that sum tokens over real time must not cross it. */
export async function awayFromMonthEnd(): Promise<void> {
  const now = new Date();
  const leftMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime();
  if (leftMs < END_MARGIN_MS) await wait(leftMs + 1_000);
}

/** Waits past the end of the day (UTC) if it is near. */
export async function awayFromDayEnd(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < END_MARGIN_MS) await wait(leftMs + 1_000);
}

/** Waits past the end of the day in the Netherlands if it is near, when the budget of calls to KVK restarts. */
export async function awayFromDutchDayEnd(): Promise<void> {
  const leftMs = dutchDayEndMs(Date.now()) - Date.now();
  if (leftMs < END_MARGIN_MS) await wait(leftMs + 1_000);
}
