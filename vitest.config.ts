import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { builtThreads } from "./test/kit/builtThreads.ts";
import { IS_THOROUGH } from "./test/kit/isThorough.ts";
import { LongestFirst } from "./test/kit/longestFirst.ts";
import { SkippedTests } from "./test/kit/skippedTests.ts";
import { SlowestFiles } from "./test/kit/slowestFiles.ts";

// Each embedded state starts a thread; the compile cache saves a third of its start.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/opzoek", import.meta.url));

// Test data is kept in memory if there is room: most tests wait for writes, and none needs data to survive a power cut.
const RAM_DISK = "/dev/shm";
const MIN_FREE_BYTES = 4 * 1024 ** 3;
if (process.env["TMPDIR"] === undefined && freeBytes(RAM_DISK) > MIN_FREE_BYTES)
  process.env["TMPDIR"] = RAM_DISK;

function freeBytes(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

// Two and a half per core of a small machine, because tests wait half of their time. More would make programs miss
// their deadlines.
const WORKERS = 5;

/** More memory for short-lived objects than the default, which saves garbage collection. */
const FLAGS = ["--min-semi-space-size=16"];

/** The path of the JSON report that `.ci/run` counts. */
const { TEST_REPORT } = process.env;

/** Tests in `src` that write registries or start servers. They run with the system tests. */
const WITH_FILES_AND_SERVERS = ["src/registry/**/*.test.ts", "src/demo/{kvk,vies}/**/*.test.ts"];

/** Files that only `THOROUGH=1 npm test` runs: more variants of guarantees that other files test. */
const LEFT_OUT = IS_THOROUGH ? [] : ["**/*.thorough.test.ts"];

export default defineConfig({
  test: {
    reporters:
      TEST_REPORT === undefined
        ? ["default", new SlowestFiles(), new SkippedTests()]
        : ["default", ["json", { outputFile: TEST_REPORT }], new SlowestFiles(), new SkippedTests()],
    sequence: { sequencer: LongestFirst },
    projects: [
      // No project isolates its files, because importing the program takes seconds. `closeAfterFile.ts` closes the
      // resources of a file.
      {
        plugins: [builtThreads()],
        test: {
          name: "unit",
          include: ["src/**/*.test.ts"],
          exclude: [...WITH_FILES_AND_SERVERS, ...LEFT_OUT],
          setupFiles: ["test/kit/processorTime.ts"],
          // Generous timeouts: they find hangs, also on a busy machine.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 120_000 } },
          isolate: false,
          execArgv: FLAGS,
          // By default vitest reserves one core, which is half of a small machine.
          maxWorkers: availableParallelism(),
        },
      },
      {
        plugins: [builtThreads()],
        test: {
          name: "system",
          include: ["test/**/*.test.ts", ...WITH_FILES_AND_SERVERS],
          globalSetup: ["test/kit/oncePerRun.ts"],
          setupFiles: ["test/kit/processorTime.ts", "test/kit/closeAfterFile.ts"],
          exclude: ["test/dashboard/**", "test/element/**", ...LEFT_OUT],
          isolate: false,
          execArgv: FLAGS,
          // Twenty kills take a minute, and five times that on a busy machine.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 120_000 } },
          sequence: { groupOrder: 1 },
          maxWorkers: WORKERS,
        },
      },
      {
        plugins: [builtThreads()],
        test: {
          name: "browser",
          include: ["test/dashboard/**/*.test.ts", "test/element/**/*.test.ts"],
          exclude: LEFT_OUT,
          globalSetup: ["test/dashboard/support/oncePerRun.ts"],
          setupFiles: ["test/kit/processorTime.ts", "test/kit/closeAfterFile.ts"],
          isolate: false,
          execArgv: FLAGS,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
          sequence: { groupOrder: 1 },
          maxWorkers: WORKERS,
        },
      },
    ],
  },
});
