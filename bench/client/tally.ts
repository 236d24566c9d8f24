import { Histogram } from "./histogram.ts";
import type { Outcome } from "./job.ts";

const SAMPLE_BYTES = 300;

/** Counts answers while load runs, and what the client itself needed for it. */
export class Tally {
  readonly #latencies = new Histogram();
  readonly #statuses: Record<string, number> = {};
  readonly #samples: Record<string, string> = {};
  readonly #startedMs = performance.now();
  readonly #startedCpu = process.cpuUsage();
  #answers = 0;
  #tokensCharged: number | undefined;

  add(status: number, us: number): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#answers++;
    this.#latencies.add(us);
  }

  /** An answer of which the client also read the charge and kept the body. */
  addRead(status: number, us: number, tokensCharged: number, body: Buffer): void {
    this.#samples[status] ??= body.toString("utf8", 0, SAMPLE_BYTES);
    this.#tokensCharged = (this.#tokensCharged ?? 0) + tokensCharged;
    this.add(status, us);
  }

  outcome(): Outcome {
    const elapsedMs = performance.now() - this.#startedMs;
    const { user, system } = process.cpuUsage(this.#startedCpu);
    return {
      answers: this.#answers,
      elapsedMs,
      statuses: this.#statuses,
      ...(this.#tokensCharged !== undefined && { tokensCharged: this.#tokensCharged }),
      clientBusy: (user + system) / 1_000 / elapsedMs,
      latencies: this.#latencies.entries(),
      samples: this.#samples,
    };
  }
}
