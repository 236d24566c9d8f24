/**
 * Random histories of imports, answers, forgotten and shielded companies, pauses, used up and renewed allowances, with several
 * processes that fail or are killed between any two calls of the state: each change is recorded once, in order, and charged once.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { openSqliteState } from "../../src/storage/sqlite/sqliteState.ts";
import { statePath } from "../../src/storage/sqlite/statePath.ts";
import type { OpenStore } from "../kit/stores/fixture.ts";
import { amount } from "../kit/thorough.ts";
import { BEGINNING, COMPANIES, type Event, HistoryRun, ORIGINS, type Storm } from "./historyRun.ts";

const company = fc.nat(COMPANIES.length - 1);
const account = fc.nat(1);
const facts = fc.record({
  name: fc.constantFrom("Fabel", "Sprookje", "Sage"),
  isActive: fc.boolean(),
  street: fc.option(fc.constantFrom("Markt", "Haven"), { nil: undefined, freq: 6 }),
  city: fc.constantFrom("Delft", "Leiden"),
});

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("import" as const),
      rows: fc.array(fc.record({ company, origin: fc.constantFrom(...ORIGINS), facts }), {
        minLength: 1,
        maxLength: 4,
      }),
      isOld: fc.nat(5).map((nth) => nth === 0),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("answer" as const), company, facts }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      account,
      companies: fc.uniqueArray(company, { minLength: 1 }),
      isSelective: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), account, nth: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("forget" as const), company }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("suspend" as const), account, isSuspended: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("tier" as const),
      account,
      tierName: fc.constantFrom("two", "small"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("cap" as const),
      account,
      maxTokens: fc.option(fc.nat(3), { nil: null }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("month" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rollback" as const) }) },
);

const fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant("pass" as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "stall" as const,
      "stall" as const,
      "fail before" as const,
      "fail after" as const,
      "die before" as const,
      "die after" as const,
    ),
  },
);

const storm: fc.Arbitrary<Storm> = fc.array(
  fc.record({
    fates: fc.array(fate, { maxLength: 25 }),
    lag: fc.oneof(fc.constant(0), fc.nat(2)),
    isAdding: fc.boolean(),
  }),
  { maxLength: 3 },
);

const history = fc.array(fc.tuple(event, storm), { minLength: 8, maxLength: 16 });

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
    { numRuns: amount({ ordinary: 20, thorough: 600 }) },
  );
  expect(recorded).toBeGreaterThan(100);
});
