import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type CountsMemory, newCountsMemory, SharedCounts } from "../../src/lib/sharedCounts.ts";
import type { Counting } from "./countingThread.ts";

const THREADS = 4;
const BOOLEANS = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
] as const;

/** How often each subject was let through in each window, by all threads together. */
async function countedOnThreads(
  options: Pick<Counting, "subjects" | "most" | "tries" | "windows"> & { readonly counts?: CountsMemory },
): Promise<number[][]> {
  const shared = {
    counts: newCountsMemory(options.subjects),
    ...options,
    gate: new SharedArrayBuffer(4),
    window: new SharedArrayBuffer(4),
    threads: THREADS,
  } satisfies Counting;
  const told = await Promise.all(
    Array.from({ length: THREADS }, async () => {
      const thread = new Worker(new URL("./countingThread.ts", import.meta.url), { workerData: shared });
      // The end may come in the same turn as what it told.
      const [[counted]] = await Promise.all([
        once(thread, "message") as Promise<[number[][]]>,
        once(thread, "exit"),
      ]);
      return counted;
    }),
  );
  return Array.from({ length: options.windows }, (_, window) =>
    Array.from({ length: options.subjects }, (_, subject) =>
      told.reduce((sum, counted) => sum + (counted[window]?.[subject] ?? 0), 0),
    ),
  );
}

interface Standstill {
  /** Of the steps in shared memory that a call takes, the one that it stands still before. */
  readonly beforeStep: number;
  /** The subjects of calls that go all their way meanwhile, and wait in vain for a lock that it may have. */
  readonly meanwhile: readonly number[];
  /** Whether the other subject was counted before it. */
  readonly isOtherThere: boolean;
  /** Whether a window ends then, too. */
  readonly isWindowOver: boolean;
  readonly most: number;
}

/**
 * How often two subjects were let through in each window, when the first call for subject 0 stands still once; undefined when it has no such
 * step.
 */
function countedWithStandstill(standstill: Standstill): number[][] | undefined {
  const { beforeStep, meanwhile, isOtherThere, isWindowOver, most } = standstill;
  const memory = newCountsMemory(1);
  const counted = [
    [0, 0],
    [0, 0],
  ];
  let [window, steps] = [0, 0];
  const call = (subject: number) => {
    let seen = 0;
    const clock = () => {
      seen = window;
      return seen;
    };
    const row = new SharedCounts(memory).add(`subject ${subject}`, most, clock) ? counted[seen] : undefined;
    if (row !== undefined) row[subject] = (row[subject] ?? 0) + 1;
  };
  const step = () => {
    if (steps++ !== beforeStep) return;
    if (isWindowOver) window = 1;
    for (const subject of meanwhile) call(subject);
  };
  const { load, store, compareExchange } = Atomics;
  if (isOtherThere) call(1);
  vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  vi.spyOn(Atomics, "load").mockImplementation((...args) => {
    step();
    return load(...args);
  });
  vi.spyOn(Atomics, "store").mockImplementation((...args) => {
    step();
    return store(...args);
  });
  vi.spyOn(Atomics, "compareExchange").mockImplementation((...args) => {
    step();
    return compareExchange(...args);
  });
  call(0);
  vi.restoreAllMocks();
  if (steps <= beforeStep) return undefined;
  window = 1;
  for (let calls = 0; calls < 2 * (most + 1); calls++) call(calls % 2);
  return counted;
}

describe("counts that threads share", () => {
  it("let exactly so many through when four threads count the same subjects at once", async () => {
    const counted = await countedOnThreads({ subjects: 40, most: 500, tries: 40_000, windows: 1 });
    expect(counted).toEqual([new Array(40).fill(500)]);
  });

  it("let never more through than the limit in any window, while windows end under way", async () => {
    const counted = await countedOnThreads({ subjects: 3, most: 200, tries: 30_000, windows: 12 });
    for (const window of counted) for (const count of window) expect(count).toBeLessThanOrEqual(200);
    expect(counted.at(-1)).toEqual([200, 200, 200]);
  });

  it("count as one map would, on one thread, whatever comes in which window", () => {
    const call = fc.record({ subject: fc.nat(20), window: fc.integer({ min: 5, max: 8 }) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 300 }), fc.integer({ min: 0, max: 5 }), (calls, most) => {
        const counts = new SharedCounts(newCountsMemory(1_000));
        const model = new Map<number, { window: number; count: number }>();
        for (const { subject, window } of calls) {
          const known = model.get(subject);
          const count = known?.window === window ? known.count : 0;
          expect(counts.add(`of ${subject}`, most, () => window)).toBe(count < most);
          if (count < most) model.set(subject, { window, count: count + 1 });
        }
      }),
    );
  });

  it("go on when a thread ended while it held a lock", () => {
    const memory = newCountsMemory(1);
    const locks = new Int32Array(memory.memory, memory.memory.byteLength - 4);
    locks[0] = 1;
    const counts = new SharedCounts(memory);
    expect([1, 2, 3].map(() => counts.add("subject", 2, () => 7))).toEqual([true, true, false]);
    expect(Number(locks[0]) % 2).toBe(0);
  });

  it.each([[[0]], [[1]], [[0, 0]], [[0, 1]], [[1, 0]], [[1, 0, 1, 0]]])(
    "count exactly when a thread stands still before any step and subjects %j are counted meanwhile",
    (meanwhile) => {
      for (const most of [1, 2, 3])
        for (const [isOtherThere, isWindowOver] of BOOLEANS)
          for (let beforeStep = 0; ; beforeStep++) {
            const standstill = { beforeStep, meanwhile, isOtherThere, isWindowOver, most };
            const counted = countedWithStandstill(standstill);
            if (counted === undefined) break;
            const [first = [], second] = counted;
            const seen = { ...standstill, tooOften: first.filter((count) => count > most), second };
            expect(seen).toEqual({ ...standstill, tooOften: [], second: [most, most] });
          }
    },
  );

  it("forget the least counted of a full set first, and count to the largest limit", () => {
    const counts = new SharedCounts(newCountsMemory(1));
    for (let calls = 0; calls < 3; calls++) counts.add("near its limit", 4, () => 7);
    for (let other = 0; other < 1_000; other++) counts.add(`other ${other}`, 4, () => 7);
    expect(counts.add("near its limit", 4, () => 7)).toBe(true);
    expect(counts.add("near its limit", 4, () => 7)).toBe(false);
    expect(counts.add("near its limit", 1_000_000_000, () => 7)).toBe(true);
    expect(counts.add("near its limit", 4, () => 8)).toBe(true);
  });

  it("hold no text of a subject", () => {
    const memory = newCountsMemory(100);
    new SharedCounts(memory).add("192.0.2.17", 5, () => 7);
    expect(Buffer.from(memory.memory).includes("192.0.2.17")).toBe(false);
  });
});
