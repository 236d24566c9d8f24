import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Recorder } from "./recorder.ts";

const EVERY_MS = 1_000;
const RESOLUTION_MS = 10;

/**
 * Samples this process once a second from now on. Keeps no process alive.
 * @param waitingRequests how many charge requests wait for the store
 * @returns ends it
 */
export function sampleProcess(recorder: Recorder, waitingRequests: () => number): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { active: busyMs } = performance.eventLoopUtilization(now, before);
    before = now;
    // Node.js measures from one timer to the next, so its resolution is part of the delay.
    const delayMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    delay.reset();
    const heapBytes = getHeapStatistics().used_heap_size;
    recorder.sampled({ delayMs, busyMs, heapBytes, waitingRequests: waitingRequests() });
  }, EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    delay.disable();
  };
}
