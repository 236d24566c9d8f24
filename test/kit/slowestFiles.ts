import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;

/** Ends a run with the files that took longest, so that what makes everybody wait is seen when it comes, not a year later. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    if (files.length <= SHOWN) return;
    const slowest = files
      .map((file) => ({ path: relative(process.cwd(), file.moduleId), ms: durationOf(file) }))
      .sort((one, other) => other.ms - one.ms)
      .slice(0, SHOWN);
    // After the reporter that comes before has written its summary.
    console.log("\nSlowest files:");
    for (const { path, ms } of slowest) console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${path}`);
  }
}

/** Importing, preparing and running. */
function durationOf(file: TestModule): number {
  const { collectDuration, duration } = file.diagnostic();
  return collectDuration + duration;
}
