import { expect, it } from "vitest";
import { viesBreakers } from "./breakers.ts";
import { resultOfCode, UNREACHABLE } from "./codes.ts";
import { viesHealth } from "./health.ts";
import type { ViesResult } from "./results.ts";
import type { Availability, StatusRateLimited } from "./upstream.ts";

const ALL_WELL: Availability = { isAvailable: true, unavailableStates: [] };
/** Health with a constant status page and a manual clock. */
function stage(page: Availability | StatusRateLimited | undefined) {
  const clock = { nowMs: 0 };
  const now = () => clock.nowMs;
  const breakers = viesBreakers({ now });
  let pages = 0;
  const availability = async () => {
    pages += 1;
    return page;
  };
  const health = viesHealth({ availability }, breakers, now);
  const ask = async (result: ViesResult, times = 1) => {
    for (let time = 0; time < times; time++) await breakers.run("PL", async () => result);
  };
  const healthAt = (nowMs: number) => {
    clock.nowMs = nowMs;
    return health();
  };
  return { clock, breakers, ask, healthAt, pages: () => pages };
}

it.each([
  ["says that all is well", ALL_WELL, "up"],
  ["says that it is away", { ...ALL_WELL, isAvailable: false }, "down"],
  ["says that a state is away", { ...ALL_WELL, unavailableStates: ["DE"] }, "degraded"],
  ["makes no sense, which proves nothing", undefined, "up"],
] as const)("the status page decides a minute after the last failure: %s", async (_, page, then) => {
  const { ask, healthAt, breakers } = stage(page);
  await healthAt(0);
  await ask(UNREACHABLE, 5);
  for (const nowMs of [0, 2_000, 30_000, 59_999]) expect(await healthAt(nowMs)).toBe("down");
  expect(await healthAt(60_000)).toBe(then);
  // A later failure restarts it.
  await ask(UNREACHABLE);
  expect(await healthAt(60_000)).toBe("down");
  expect(breakers.shown).toContainEqual({ what: "vies", isOpen: true });
  expect(await healthAt(119_999)).toBe("down");
  expect(await healthAt(120_000)).toBe(then);
});

it("trusts a failure more than an earlier status page, and requests the page at most twice a minute and not while calls fail", async () => {
  const { ask, healthAt, pages } = stage(ALL_WELL);
  await healthAt(59_000);
  await ask(UNREACHABLE, 5);
  expect(await healthAt(61_500)).toBe("down");
  expect(pages()).toBe(1);
  for (let nowMs = 62_000; nowMs < 118_000; nowMs += 1_000) expect(await healthAt(nowMs)).toBe("down");
  expect(await healthAt(119_000)).toBe("up");
  expect(pages()).toBe(2);
  for (let nowMs = 119_000; nowMs < 149_000; nowMs += 1_000) expect(await healthAt(nowMs)).toBe("up");
  expect(pages()).toBe(2);
  await healthAt(149_000);
  expect(pages()).toBe(3);
});

it.each([
  [1, 30_000],
  [30, 30_000],
  [120, 120_000],
  [86_400, 600_000],
])("requests the page again %d s after a Retry-After, within limits", async (seconds, untilMs) => {
  const { healthAt, pages } = stage({ retryAfterSeconds: seconds });
  for (let nowMs = 0; nowMs < untilMs; nowMs += 10_000) expect(await healthAt(nowMs)).toBe("up");
  await healthAt(untilMs - 1);
  expect(pages()).toBe(1);
  await healthAt(untilMs);
  expect(pages()).toBe(2);
});

it("reports a failing state, and open breakers", async () => {
  const { ask, healthAt, breakers, clock } = stage(ALL_WELL);
  await ask(resultOfCode("MS_UNAVAILABLE"), 5);
  expect(await healthAt(0)).toBe("degraded");
  expect(breakers.shown).toContainEqual({ what: "PL", isOpen: true });
  clock.nowMs = 2_000;
  expect(breakers.shown.filter(({ isOpen }) => isOpen)).toEqual([]);
  expect(await healthAt(59_999)).toBe("degraded");
  expect(await healthAt(60_000)).toBe("up");
});
