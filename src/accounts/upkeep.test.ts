import { afterEach, expect, it, vi } from "vitest";
import type { PeopleQueries } from "./queries.ts";
import { Upkeep } from "./upkeep.ts";

const MINUTE_MS = 60_000;
/** 200,000 rows. */
const MAX_STEPS = 400;

afterEach(() => void vi.useRealTimers());

/** Upkeep over a state in which this many steps are needed before nothing has expired. */
function upkeepOver(steps: number) {
  const taken = { expired: 0, lapsed: 0 };
  // No other method is called.
  const store = {
    endRolledKeys: async () => [],
    deleteExpired: async () => ++taken.expired < steps,
  } as Partial<PeopleQueries> as PeopleQueries;
  const deleteLapsed = async () => ++taken.lapsed < Math.min(steps, 2 * MAX_STEPS);
  const onError = (error: unknown) => {
    throw error;
  };
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const upkeep = new Upkeep({
    store,
    now: () => 0,
    idleMs: 1,
    deleteLapsed,
    onError,
  });
  return { taken, upkeep };
}

it("deletes expired data until none is left", async () => {
  const { taken, upkeep } = upkeepOver(5);
  await upkeep.start();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await vi.waitUntil(() => taken.expired === 5 && taken.lapsed === 5);
  await upkeep.stop();
  expect(taken).toEqual({ expired: 5, lapsed: 5 });
});

it("leaves data beyond a limit to the next round, except that of charges, and stops between two steps", async () => {
  const { taken, upkeep } = upkeepOver(Number.POSITIVE_INFINITY);
  await upkeep.start();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await vi.waitUntil(() => taken.lapsed === 2 * MAX_STEPS);
  expect(taken.expired).toBe(MAX_STEPS);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await upkeep.stop();
  const { expired } = taken;
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken.expired).toBe(expired);
});
