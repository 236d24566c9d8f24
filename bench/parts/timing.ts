/** What one part costs, in microseconds. */
export interface PartCost {
  readonly part: string;
  readonly medianUs: number;
  readonly p99Us: number;
  readonly note?: string;
}

const WARM_UP_SHARE = 0.2;
/** A look at the clock costs about 0.03 µs: many short calls are timed together. */
const LEAST_BATCH_US = 20;

/**
 * Times `work` over and over, each time with the next number. Calls that are too short for the clock are timed
 * several at a time; then median and p99 are those of the mean of several.
 */
export function timeWork(part: string, calls: number, work: (index: number) => unknown): PartCost {
  for (let index = 0; index < calls * WARM_UP_SHARE; index++) work(index);
  const startedMs = performance.now();
  for (let index = 0; index < calls * WARM_UP_SHARE; index++) work(index);
  const meanUs = ((performance.now() - startedMs) * 1_000) / Math.max(1, calls * WARM_UP_SHARE);
  const together = Math.max(1, Math.ceil(LEAST_BATCH_US / meanUs));
  const times: number[] = [];
  for (let index = 0; index + together <= calls; index += together) {
    const beforeMs = performance.now();
    for (let offset = 0; offset < together; offset++) work(index + offset);
    times.push(((performance.now() - beforeMs) * 1_000) / together);
  }
  return costOf(part, times);
}

export function costOf(part: string, timesUs: readonly number[], note?: string): PartCost {
  const sorted = [...timesUs].sort((one, other) => one - other);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { part, medianUs: at(0.5), p99Us: at(0.99), ...(note !== undefined && { note }) };
}
