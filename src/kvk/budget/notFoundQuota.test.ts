import { expect, it, onTestFinished, vi } from "vitest";
import type { PaidCallQueries } from "../queries/paidCalls.ts";
import { NotFoundQuota } from "./notFoundQuota.ts";
import type { ActivePermits } from "./paidCalls.ts";

const NOON = Date.parse("2026-05-05T12:00:00Z");
const long = () => AbortSignal.timeout(120_000);

/** Counts like a store that several processes share. */
function processesOver(maxADay: number, count = 1) {
  const rows = new Map<string, ActivePermits>();
  const clock = { nowMs: NOON };
  const requests = { times: 0, isUnreachable: false };
  const store: Pick<PaidCallQueries, "holdPermits"> = {
    async holdPermits(permits) {
      requests.times += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (requests.isUnreachable) throw new Error("the store is away");
      const others = [...rows.values()].filter(
        ({ subject, day, holder }) =>
          subject === permits.subject && day === permits.day && holder !== permits.holder,
      );
      let [taken, over] = [permits.misses + permits.inProgress, permits.misses];
      for (const { misses, inProgress, lapsesAtMs } of others) {
        taken += misses + inProgress;
        over += lapsesAtMs <= permits.nowMs ? misses + inProgress : misses;
      }
      const granted = Math.max(0, Math.min(permits.wanted, permits.most - taken));
      rows.set(`${permits.subject} ${permits.day} ${permits.holder}`, {
        ...permits,
        inProgress: permits.inProgress + granted,
      });
      return { granted, isOver: over >= permits.most };
    },
  };
  const missed = (subject: string) =>
    [...rows.values()].reduce((sum, row) => sum + (row.subject === subject ? row.misses : 0), 0);
  const permitsInUse = () => [...rows.values()].reduce((sum, { inProgress }) => sum + inProgress, 0);
  const processes = Array.from({ length: count }, () => new NotFoundQuota(store, maxADay, () => clock.nowMs));
  const [misses = new NotFoundQuota(store, maxADay)] = processes;
  return { misses, processes, clock, asked: requests, missed, held: permitsInUse };
}

/** A call that ends after some turns of the event loop. */
async function call(misses: NotFoundQuota, subject: string, wasNotFound: boolean): Promise<string> {
  const permit = await misses.enter(subject, long());
  if (typeof permit === "string") return permit;
  await new Promise((resolve) => setImmediate(resolve));
  await permit.release(wasNotFound);
  return "asked";
}

it("permits exactly the quota of misses per payer, for any number of calls and processes", async () => {
  const { misses, processes, missed } = processesOver(10, 3);
  const ended = await Promise.all(
    processes.flatMap((each) => Array.from({ length: 70 }, () => call(each, "a", true))),
  );
  expect(ended.filter((one) => one === "asked").length).toBe(10);
  expect(ended.filter((one) => one === "none-left").length).toBe(200);
  expect(missed("a")).toBe(10);
  expect(await call(misses, "b", true)).toBe("asked");
});

it("never refuses calls for existing numbers, however many are concurrent", async () => {
  const { processes, held } = processesOver(3, 2);
  const ended = await Promise.all(
    processes.flatMap((each) => Array.from({ length: 50 }, () => call(each, "a", false))),
  );
  expect(new Set(ended)).toEqual(new Set(["asked"]));
  expect(held()).toBe(0);
});

it("requests permits from the store in batches", async () => {
  const { misses, asked } = processesOver(1_000);
  await Promise.all(Array.from({ length: 500 }, () => call(misses, "a", false)));
  expect(asked.times).toBeLessThan(20);
});

it("permits sequential calls without a pause", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = { holdPermits: async ({ wanted }: ActivePermits) => ({ granted: wanted, isOver: false }) };
  const quota = new NotFoundQuota(store, 10, () => NOON);
  for (let nth = 0; nth < 3; nth++) expect(await call(quota, "a", false)).toBe("asked");
  expect(vi.getTimerCount()).toBe(0);
});

it("resets on the next day", async () => {
  const { misses, clock } = processesOver(1);
  expect([await call(misses, "a", true), await call(misses, "a", true)]).toEqual(["asked", "none-left"]);
  clock.nowMs += 86_400_000;
  expect(await call(misses, "a", true)).toBe("asked");
});

it("ends a wait at the deadline and releases the permit of a caller that left", async () => {
  const { misses, held } = processesOver(1);
  const first = await misses.enter("a", long());
  expect(await misses.enter("a", AbortSignal.timeout(5))).toBe("late");
  expect(await misses.enter("a", AbortSignal.abort())).toBe("late");
  if (typeof first !== "string") await first.release(false);
  expect(await call(misses, "a", false)).toBe("asked");
  expect(held()).toBe(0);
});

it("counts the permits of a dead process as misses once its calls must have ended", async () => {
  const { processes, clock } = processesOver(2, 2);
  const [dies, lives] = processes;
  if (dies === undefined || lives === undefined) throw new Error("two processes were made");
  await dies.enter("a", long());
  await dies.enter("a", long());
  expect(await lives.enter("a", AbortSignal.timeout(5))).toBe("late");
  clock.nowMs += 600_000;
  expect(await call(lives, "a", true)).toBe("none-left");
});

it("fails waiting callers while the store is down, and continues without counting twice", async () => {
  const { misses, asked, missed } = processesOver(5);
  const permit = await misses.enter("a", long());
  if (typeof permit === "string") throw new Error("there is a permit");
  asked.isUnreachable = true;
  const [entering, leaving] = await Promise.allSettled([misses.enter("a", long()), permit.release(true)]);
  expect([entering?.status, leaving?.status]).toEqual(["rejected", "rejected"]);
  asked.isUnreachable = false;
  expect(await call(misses, "a", true)).toBe("asked");
  expect(missed("a")).toBe(2);
});
