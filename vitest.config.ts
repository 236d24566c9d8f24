import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      // Not isolated: importing the program anew for each of the many small files took a third of the time.
      { test: { name: "unit", include: ["src/**/*.test.ts"], testTimeout: 20_000, isolate: false } },
      {
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          exclude: ["test/dashboard/**"],
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
