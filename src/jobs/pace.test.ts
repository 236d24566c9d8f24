import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CallerCount, newPaceMemory, Pace } from "./pace.ts";

const SECOND_MS = 1_000;
/** What waits is woken in turn, so that threads run side by side on a clock of their own. */
function scriptedClock() {
  let nowMs = 5_000;
  const sleeping: { readonly atMs: number; readonly wake: () => void }[] = [];
  return {
    now: () => nowMs,
    sleep(ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      sleeping.push({ atMs: nowMs + ms, wake: resolve });
      return promise;
    },
    async run(forMs: number): Promise<void> {
      const endsMs = nowMs + forMs;
      for (;;) {
        // Whoever was woken works on until it waits again.
        for (let turn = 0; turn < 3; turn++) await nextTurn();
        sleeping.sort((one, other) => one.atMs - other.atMs);
        const [next] = sleeping;
        if (next === undefined || next.atMs > endsMs) break;
        sleeping.shift();
        nowMs = next.atMs;
        next.wake();
      }
      nowMs = endsMs;
    },
  };
}

/** Threads of which each works lists, piece after piece, as far as its pace lets it. */
function listsOn(threads: number, pieceMs: number, leave: "leaveThread" | "leaveState") {
  const clock = scriptedClock();
  const memory = newPaceMemory();
  const workedMs = Array.from({ length: threads }, () => 0);
  const ends = new AbortController();
  const work = async (thread: number) => {
    const pace = new Pace({ memory, now: clock.now, pause: (ms) => clock.sleep(ms) });
    while (!ends.signal.aborted) {
      await clock.sleep(pieceMs);
      workedMs[thread] = (workedMs[thread] ?? 0) + pieceMs;
      await pace[leave](pieceMs);
    }
  };
  for (let thread = 0; thread < threads; thread++) void work(thread);
  return {
    clock,
    callers: new CallerCount(memory),
    /** How long each thread works in a time. */
    async workedIn(ms: number): Promise<readonly number[]> {
      workedMs.fill(0);
      await clock.run(ms);
      return [...workedMs];
    },
    end: () => ends.abort(),
  };
}

/** Calls every 20 ms, on whichever thread. */
async function calling({ clock, callers }: ReturnType<typeof listsOn>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    callers.asked();
    await clock.sleep(20);
  }
}

const sum = (times: readonly number[]) => times.reduce((total, ms) => total + ms, 0);

describe.each([1, 2, 5])("of %i threads that work lists", (threads) => {
  it("each has a tenth of its time at most while callers ask, on whichever thread they do", async () => {
    const lists = listsOn(threads, 2, "leaveThread");
    let isOver = false;
    void calling(lists, () => isOver);
    await lists.workedIn(SECOND_MS);
    const worked = await lists.workedIn(10 * SECOND_MS);
    for (const ms of worked) {
      expect(ms).toBeLessThanOrEqual(SECOND_MS + 2);
      expect(ms).toBeGreaterThan(SECOND_MS * 0.9);
    }
    isOver = true;
    lists.end();
  });

  it("all together have the state for a tenth of its time at most while callers ask", async () => {
    const lists = listsOn(threads, 4, "leaveState");
    let isOver = false;
    void calling(lists, () => isOver);
    await lists.workedIn(SECOND_MS);
    const worked = sum(await lists.workedIn(10 * SECOND_MS));
    expect(worked).toBeLessThanOrEqual(SECOND_MS + 4 * threads);
    expect(worked).toBeGreaterThan(SECOND_MS * 0.9);
    isOver = true;
    lists.end();
  });

  it.each(["leaveThread", "leaveState"] as const)(
    "none waits without callers, nor longer than a moment when they are gone: %s",
    async (leave) => {
      const lists = listsOn(threads, 10, leave);
      expect(await lists.workedIn(SECOND_MS)).toEqual(Array.from({ length: threads }, () => SECOND_MS));
      lists.callers.asked();
      await lists.workedIn(SECOND_MS);
      expect(await lists.workedIn(SECOND_MS)).toEqual(Array.from({ length: threads }, () => SECOND_MS));
      lists.end();
    },
  );
});

it("a wait behind callers counts for no more than four times what the state takes alone", async () => {
  const clock = scriptedClock();
  const memory = newPaceMemory();
  const callers = new CallerCount(memory);
  const pace = new Pace({ memory, now: clock.now, pause: (ms) => clock.sleep(ms) });
  await pace.leaveState(2);
  callers.asked();
  let isOver = false;
  void pace.leaveState(50).then(() => {
    isOver = true;
  });
  await clock.run(71);
  expect(isOver).toBe(false);
  await clock.run(2);
  expect(isOver).toBe(true);
});

it("a pause ends at once for who is told to end", async () => {
  const memory = newPaceMemory();
  const callers = new CallerCount(memory);
  const pace = new Pace({ memory });
  const ends = new AbortController();
  callers.asked();
  const waits = pace.leaveState(1_000_000, ends.signal);
  ends.abort();
  await waits;
});
