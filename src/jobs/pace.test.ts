import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Pace } from "./pace.ts";

const SECOND_MS = 1_000;
/** Sleepers wake in order, so that lists and callers run concurrently on a simulated clock. */
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
        // A woken sleeper continues until it waits again.
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

/** Lists that are processed piece by piece, as their pace allows. */
function listsOf(pieceMs: number) {
  const clock = scriptedClock();
  const pace = new Pace({ now: clock.now, pause: (ms) => clock.sleep(ms) });
  const ends = new AbortController();
  let workedMs = 0;
  const work = async () => {
    while (!ends.signal.aborted) {
      await clock.sleep(pieceMs);
      workedMs += pieceMs;
      await pace.pauseAfter(pieceMs);
    }
  };
  void work();
  return {
    clock,
    pace,
    /** How long lists run within a period. */
    async workedIn(ms: number): Promise<number> {
      workedMs = 0;
      await clock.run(ms);
      return workedMs;
    },
    end: () => ends.abort(),
  };
}

/** Calls every 20 ms. */
async function calling({ clock, pace }: ReturnType<typeof listsOf>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    pace.recordRequest();
    await clock.sleep(20);
  }
}

describe.each([2, 4])("lists in pieces of %i ms", (pieceMs) => {
  it("take at most a tenth of the time while callers are active", async () => {
    const lists = listsOf(pieceMs);
    let isOver = false;
    void calling(lists, () => isOver);
    await lists.workedIn(SECOND_MS);
    const workedMs = await lists.workedIn(10 * SECOND_MS);
    expect(workedMs).toBeLessThanOrEqual(SECOND_MS + pieceMs);
    expect(workedMs).toBeGreaterThan(SECOND_MS * 0.9);
    isOver = true;
    lists.end();
  });

  it("do not wait without callers, and only a moment after the last one", async () => {
    const lists = listsOf(10);
    expect(await lists.workedIn(SECOND_MS)).toBe(SECOND_MS);
    lists.pace.recordRequest();
    await lists.workedIn(SECOND_MS);
    expect(await lists.workedIn(SECOND_MS)).toBe(SECOND_MS);
    lists.end();
  });
});

it("pause for five seconds at most, however slow the state is", async () => {
  const clock = scriptedClock();
  const pace = new Pace({ now: clock.now, pause: (ms) => clock.sleep(ms) });
  pace.recordRequest();
  let isOver = false;
  void pace.pauseAfter(60 * SECOND_MS).then(() => {
    isOver = true;
  });
  for (let ms = 0; ms < 4_990; ms += 10) {
    pace.recordRequest();
    await clock.run(10);
  }
  expect(isOver).toBe(false);
  await clock.run(20);
  expect(isOver).toBe(true);
});

it("stop a pause at once when its signal aborts", async () => {
  const pace = new Pace();
  const ends = new AbortController();
  pace.recordRequest();
  const waits = pace.pauseAfter(1_000_000, ends.signal);
  ends.abort();
  await waits;
});
