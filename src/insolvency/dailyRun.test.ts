import { expect, it } from "vitest";
import { DailyRun, type DailyRunParts } from "./dailyRun.ts";
import type { CourtLoading, CourtStep } from "./loading.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FAILED: CourtStep = { kind: "failed", reason: "the court is down" };

/** A daily run at midnight, whose steps are given, each with a number of list calls. */
function dailyRun(steps: readonly (readonly [CourtStep, listCalls: number])[]) {
  const clock = { nowMs: 100 * DAY_MS + 15 * HOUR_MS };
  const asked: string[] = [];
  const left = [...steps];
  const loading: Pick<CourtLoading, "step" | "listCalls"> = {
    listCalls: 0,
    async step({ isNext, mayList, mayBegin }) {
      const [step, calls] = left.shift() ?? [{ kind: "done" }, 0];
      asked.push([isNext && "next", mayList && "list", mayBegin && "begin"].filter(Boolean).join(" "));
      loading.listCalls += calls;
      return step;
    },
  };
  const failed: string[] = [];
  const parts: DailyRunParts = {
    loading,
    nextRunMs: (nowMs) => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS,
    onFailed: (reason) => failed.push(reason),
    onEmpty: () => failed.push("empty"),
    now: () => clock.nowMs,
  };
  const run = new DailyRun(parts);
  let cursor = "";
  const next = async (): Promise<number> => {
    const end = await run.run({ name: "court", claim: 1, cursor }, new AbortController().signal);
    cursor = end.cursor ?? cursor;
    return end.waitMs / HOUR_MS;
  };
  return { clock, asked, failed, next };
}

it("continues what is under way, then waits for its time, and begins the next list then", async () => {
  const { clock, asked, next } = dailyRun([
    [{ kind: "working" }, 0],
    [{ kind: "done" }, 0],
    [{ kind: "working" }, 1],
    [{ kind: "working" }, 1],
    [{ kind: "done" }, 0],
  ]);
  expect([await next(), await next()]).toEqual([0, 9]);
  clock.nowMs += 9 * HOUR_MS;
  expect([await next(), await next(), await next()]).toEqual([0, 0, 24]);
  expect(asked).toEqual(["list", "list", "next list", "list", "list"]);
});

it("tries a failed list again within the hour, after growing pauses, with at most six lists a day", async () => {
  const failures = Array.from({ length: 30 }, () => [FAILED, 1] as const);
  const { clock, asked, failed, next } = dailyRun([[{ kind: "done" }, 0], ...failures]);
  await next();
  clock.nowMs += 9 * HOUR_MS;
  const waits: number[] = [];
  for (let count = 0; count < 8; count++) {
    waits.push(await next());
    clock.nowMs += (waits.at(-1) ?? 0) * HOUR_MS;
  }
  expect(waits.map((hours) => Math.round(hours * 60))).toEqual([10, 20, 40, 60, 60, 60, 60, 60]);
  expect(asked.slice(1)).toEqual([...Array.from({ length: 6 }, () => "next list"), "next", "next"]);
  expect(failed).toHaveLength(8);
  clock.nowMs += DAY_MS;
  await next();
  expect(asked.at(-1)).toBe("next list");
});

it("never begins the first load", async () => {
  const { asked, failed, next } = dailyRun([[{ kind: "empty" }, 0]]);
  expect(await next()).toBeLessThan(1);
  expect(asked).toEqual(["list"]);
  expect(failed).toEqual(["empty"]);
});

it("does not wait for a time that a wrong clock has set", async () => {
  const { clock, asked, next } = dailyRun([]);
  clock.nowMs += 3_650 * DAY_MS;
  await next();
  clock.nowMs -= 3_650 * DAY_MS;
  expect(await next()).toBe(9);
  expect(asked).toEqual(["list", "next list"]);
});
