/** Counts subjects at the limits that it is given, side by side with other threads, and tells how many were let through. */
import { parentPort, workerData } from "node:worker_threads";
import { type CountsMemory, SharedCounts } from "../../src/lib/sharedCounts.ts";

export interface Counting {
  readonly counts: CountsMemory;
  /** Counted up by each thread that is ready; they begin when all are. */
  readonly gate: SharedArrayBuffer;
  readonly threads: number;
  readonly subjects: number;
  readonly most: number;
  readonly tries: number;
  /** Windows, one after the other, of which each thread hears at its own moment. */
  readonly window: SharedArrayBuffer;
  readonly windows: number;
}

const { counts, gate, threads, subjects, most, tries, window, windows } = workerData as Counting;
const shared = new SharedCounts(counts);
const ready = new Int32Array(gate);
const clock = new Int32Array(window);
const letThrough = Array.from({ length: windows }, () => new Array<number>(subjects).fill(0));

Atomics.add(ready, 0, 1);
while (Atomics.load(ready, 0) < threads);
for (let at = 0; at < tries; at++) {
  const subject = at % subjects;
  let seen = 0;
  const isCounted = shared.add(`subject ${subject}`, most, () => {
    seen = Atomics.load(clock, 0);
    return seen;
  });
  const row = letThrough[seen];
  if (isCounted && row !== undefined) row[subject] = (row[subject] ?? 0) + 1;
  if (at % Math.ceil(tries / windows) === 0) atLeast(Math.floor((at * windows) / tries));
}
parentPort?.postMessage(letThrough);

/** Sets the clock on to a window, and never back: another thread may be further. */
function atLeast(begun: number): void {
  for (;;) {
    const now = Atomics.load(clock, 0);
    if (now >= begun || Atomics.compareExchange(clock, 0, now, begun) === now) return;
  }
}
