/**
 * Random histories of imports, answers, forgotten and shielded companies, pauses, used up and renewed allowances, with
 * several processes that fail or are killed between any two calls of the state: each change is recorded once, in order,
 * and charged once.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { openSqliteState } from "../../src/app/state/sqliteState.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import type { OpenStore } from "../kit/stores/fixture.ts";
import { amount } from "../kit/thorough.ts";
import { BEGINNING, history } from "./historyEvents.ts";
import { HistoryRun } from "./historyRun.ts";

const openSqlite: OpenStore = ({ folder, tiers, clock }) => {
  const cell = new Float64Array(clock);
  return openSqliteState({ path: statePath(folder), tiers, now: () => cell[0] ?? 0 });
};

it("records each change once, in order, invents none and charges once over any history", async () => {
  let recorded = 0;
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const run = await HistoryRun.begin(openSqlite);
      try {
        for (const beginning of BEGINNING) await run.take(beginning, []);
        for (const [taken, meanwhile] of steps) await run.take(taken, meanwhile);
        recorded += run.recorded;
      } finally {
        await run.close();
      }
    }),
    { numRuns: amount({ ordinary: 10, thorough: 300 }) },
  );
  expect(recorded).toBeGreaterThan(40);
});
