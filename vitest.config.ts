import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { builtThreads } from "./test/kit/builtThreads.ts";
import { IS_THOROUGH } from "./test/kit/isThorough.ts";
import { LongestFirst } from "./test/kit/longestFirst.ts";
import { SkippedTests } from "./test/kit/skippedTests.ts";
import { SlowestFiles } from "./test/kit/slowestFiles.ts";

// Each embedded state of a test has a thread, which compiles what it runs anew; a third of its start is that.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/opzoek", import.meta.url));

// Data of tests goes to the disk of the machine only where its memory has no room: most tests wait for writes, and none for a power cut.
const RAM_DISK = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;
if (process.env["TMPDIR"] === undefined && roomOf(RAM_DISK) > ROOM_BYTES) process.env["TMPDIR"] = RAM_DISK;

function roomOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

// Two and a half for each core of a small machine: half of the time a test waits, for a start, a poll, a drain or a page. With three for each the
// two cores had one hundredth left, with this three; more would only take time from each other, and make programs late that have deadlines.
const WORKERS = 5;

/** Room for what tests make and drop, on each thread: with the usual one they take a twentieth more of the processor. */
const FLAGS = ["--min-semi-space-size=16"];

/** Where `.ci/run` wants the report that it counts. */
const { TEST_REPORT } = process.env;

/** Tests beside their files that write registries or start servers: real ones, which takes a third of the time of all rooms. */
const WITH_FILES_AND_SERVERS = ["src/registry/**/*.test.ts", "src/simulators/**/*.test.ts"];

/** Files that only `THOROUGH=1 npm test` runs: the same guarantees as others, in more variants. */
const LEFT_OUT = IS_THOROUGH ? [] : ["**/*.thorough.test.ts"];

export default defineConfig({
  test: {
    reporters:
      TEST_REPORT === undefined
        ? ["default", new SlowestFiles(), new SkippedTests()]
        : ["default", ["json", { outputFile: TEST_REPORT }], new SlowestFiles(), new SkippedTests()],
    sequence: { sequencer: LongestFirst },
    projects: [
      // None is isolated: importing the program anew for each file took a third of the time of the unit tests, and two seconds
      // of each of the others. What a file opens ends with it by `closeAfterFile.ts`.
      {
        plugins: [builtThreads()],
        test: {
          name: "unit",
          include: ["src/**/*.test.ts"],
          exclude: [...WITH_FILES_AND_SERVERS, ...LEFT_OUT],
          // Limits find what hangs only, beside other work on a busy machine too, and where it stands still for seconds.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 120_000 } },
          isolate: false,
          execArgv: FLAGS,
          // Left alone, vitest leaves one core to itself, which is half of a small machine.
          maxWorkers: availableParallelism(),
        },
      },
      {
        plugins: [builtThreads()],
        test: {
          name: "system",
          include: ["test/**/*.test.ts", ...WITH_FILES_AND_SERVERS],
          globalSetup: ["test/kit/oncePerRun.ts"],
          setupFiles: ["test/kit/closeAfterFile.ts"],
          exclude: ["test/dashboard/**", "test/element/**", ...LEFT_OUT],
          isolate: false,
          execArgv: FLAGS,
          // A limit must find what hangs only: twenty kills take a minute, beside other work on a busy machine five times that.
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
          setupFiles: ["test/kit/closeAfterFile.ts"],
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
