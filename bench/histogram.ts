/** Microseconds that are told apart; what took longer counts as this long. */
const MOST_US = 500_000;

/** How often an answer took so many microseconds: exact to 1 µs, so that a p99 of 0.3 ms is no rounding. */
export class Histogram {
  readonly #counts = new Uint32Array(MOST_US + 1);
  #total = 0;

  add(us: number, times = 1): void {
    const bucket = Math.min(MOST_US, Math.max(0, Math.round(us)));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + times;
    this.#total += times;
  }

  /** The time in microseconds within which this share (0 to 1) of the answers came; 0 when there were none. */
  quantile(share: number): number {
    const wanted = Math.ceil(this.#total * share);
    let seen = 0;
    for (let us = 0; us <= MOST_US; us++) {
      seen += this.#counts[us] ?? 0;
      if (seen >= wanted) return us;
    }
    return 0;
  }

  /** The filled buckets as [µs, count], to send to another process. */
  entries(): [number, number][] {
    const filled: [number, number][] = [];
    this.#counts.forEach((count, us) => {
      if (count > 0) filled.push([us, count]);
    });
    return filled;
  }

  addAll(entries: readonly (readonly [number, number])[]): void {
    for (const [us, count] of entries) this.add(us, count);
  }
}
