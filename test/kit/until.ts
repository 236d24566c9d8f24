import { setTimeout as wait } from "node:timers/promises";
import { dutchDayEndMs } from "../../src/kvk/budget/dutchDay.ts";

const ASK_EVERY_MS = 25;
/** Long: it must find what never happens, on a machine that gives a tenth of its time too. */
const WITHIN_MS = 120_000;

/**
 * Asks again and again until `check` gives something else than undefined or false.
 * @throws {Error} that names `what` when it did not happen within `withinMs`
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

/** Waits out the last minutes of a month: tests that add up tokens over real time must not run over its end. */
export async function awayFromMonthEnd(): Promise<void> {
  const now = new Date();
  const leftMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime();
  if (leftMs < END_MARGIN_MS) await wait(leftMs + 1_000);
}

/** The same of a day (UTC), and so of a month. */
export async function awayFromDayEnd(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < END_MARGIN_MS) await wait(leftMs + 1_000);
}

/** The same of a day in the Netherlands, with which the budget of calls to KVK begins anew. */
export async function awayFromDutchDayEnd(): Promise<void> {
  const leftMs = dutchDayEndMs(Date.now()) - Date.now();
  if (leftMs < END_MARGIN_MS) await wait(leftMs + 1_000);
}
