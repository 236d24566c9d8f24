import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Each embedded state of a test has a thread, which compiles what it runs anew; a third of its start is that.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/opzoek", import.meta.url));

export default defineConfig({
  test: {
    projects: [
      // None is isolated: importing the program anew for each file took a third of the time of the unit tests, and two seconds
      // of each of the others. What a file opens ends with it by `closeAfterFile.ts`.
      { test: { name: "unit", include: ["src/**/*.test.ts"], testTimeout: 20_000, isolate: false } },
      {
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          globalSetup: ["test/kit/oncePerRun.ts"],
          setupFiles: ["test/kit/closeAfterFile.ts"],
          exclude: ["test/dashboard/**"],
          isolate: false,
          // A limit must find what hangs only: twenty kills take a minute, on a machine with other work five times that.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
          // Most of a test is waiting for processes to start; more at once would only wait for a core.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/dashboard/**/*.test.ts"],
          setupFiles: ["test/kit/closeAfterFile.ts"],
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
        },
      },
    ],
  },
});
