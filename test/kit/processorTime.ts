/**
 * Notes the processor time of each file for `slowestFiles.ts`. The first setup file, so that its hook runs after all
 * others.
 */
import { readFileSync } from "node:fs";
import { afterAll, TestRunner } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Of the file, its threads and the processes that it started and that have ended. */
    processorMs?: number;
  }
}

/**
 * Fields of `/proc/self/stat` after the program's name: this process and its ended children, in user and kernel mode.
 */
const FIRST_FIELD = 11;
const FIELDS = 4;
/** Linux counts in hundredths of a second on all platforms. */
const TICK_MS = 10;

function processorMs(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(FIRST_FIELD, FIRST_FIELD + FIELDS).map(Number);
  return ticks.reduce((sum, count) => sum + count, 0) * TICK_MS;
}

const { file } = TestRunner.getCurrentSuite();
const beforeMs = processorMs();
afterAll(() => {
  file.meta.processorMs = processorMs() - beforeMs;
});
