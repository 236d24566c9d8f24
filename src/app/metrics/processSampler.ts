import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Recorder } from "./recorder.ts";

const EVERY_MS = 1_000;
const RESOLUTION_MS = 10;

/** Samples this process once a second. Keeps no process alive. */
export class ProcessSampler {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;
  #utilization = performance.eventLoopUtilization();

  /** @param waitingRequests how many charge requests wait for the store */
  constructor(recorder: Recorder, waitingRequests: () => number) {
    this.#delay.enable();
    this.#timer = setInterval(() => this.#sample(recorder, waitingRequests()), EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
  }

  #sample(recorder: Recorder, waitingRequests: number): void {
    const before = this.#utilization;
    this.#utilization = performance.eventLoopUtilization();
    const { active: busyMs } = performance.eventLoopUtilization(this.#utilization, before);
    // Node.js measures from one timer to the next, so its resolution is part of the delay.
    const delayMs = Math.max(0, this.#delay.max / 1e6 - RESOLUTION_MS);
    this.#delay.reset();
    recorder.sampled({ delayMs, busyMs, heapBytes: getHeapStatistics().used_heap_size, waitingRequests });
  }
}
