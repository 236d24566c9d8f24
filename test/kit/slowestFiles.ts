import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;

/** The processor seconds of each file of the last run, as JSON: `{"<path>": <seconds>}`, the slowest first. */
const REPORT = fileURLToPath(new URL("../out/seconds.json", import.meta.url));

/** Writes the processor time of each file, and ends a run of many files with the slowest. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    const slowest = files
      .map((file) => [relative(process.cwd(), file.moduleId), secondsOf(file)] as const)
      .sort(([, one], [, other]) => other - one);
    mkdirSync(dirname(REPORT), { recursive: true });
    writeFileSync(REPORT, `${JSON.stringify(Object.fromEntries(slowest), null, 2)}\n`);
    if (files.length <= SHOWN) return;
    // After the reporter that comes before has written its summary.
    console.log("\nSlowest files:");
    for (const [path, seconds] of slowest.slice(0, SHOWN))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
  }
}

/**
 * The processor time. It excludes what serves several files: the PostgreSQL server of a run, the browser of a worker.
 */
function secondsOf(file: TestModule): number {
  return Math.round((file.meta().processorMs ?? 0) / 100) / 10;
}
