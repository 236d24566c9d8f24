import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { isKvkNumber } from "../../src/contract/numbers.ts";
import { generateCompanies } from "../../src/demo/registry/generateCompanies.ts";
import { inOneGo } from "../../src/lib/steps.ts";
import { namedLayers, readPointer } from "../../src/registry/directory.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { openCurrentSnapshot, openLayer } from "../../src/registry/openSnapshot.ts";
import { openRegistry } from "../../src/registry/registry.ts";
import { rollback } from "../../src/registry/rollback.ts";
import type { Snapshot } from "../../src/registry/types.ts";
import { IS_THOROUGH } from "../kit/isThorough.ts";
import { temporaryFolder } from "../kit/registry.ts";
import { amount } from "../kit/thorough.ts";

const COMPANIES = 60;
const generated = [...generateCompanies({ companies: COMPANIES, seed: 5 })];
const ORIGINS = ["demo", "gleif", "import:klanten"] as const;
const DATES = ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"] as const;

/** The facts of one company under the number of another, from an origin. */
const sourced: fc.Arbitrary<SourcedFacts> = fc
  .record({
    number: fc.nat(COMPANIES - 1),
    facts: fc.nat(COMPANIES - 1),
    origin: fc.constantFrom(...ORIGINS),
    asOf: fc.constantFrom(...DATES),
    isFund: fc.boolean(),
  })
  .map(({ number, facts, origin, asOf, isFund }) => {
    const [own, other] = [generated[number], generated[facts]];
    if (own === undefined || other === undefined) throw new RangeError("there are too few companies");
    const { branches: _, ...rest } = other.facts;
    const chosenFacts = number === facts ? other.facts : rest;
    return {
      origin,
      asOf,
      facts: { ...chosenFacts, kvkNumber: own.facts.kvkNumber },
      ...(isFund && origin === "gleif" && { isFund }),
    };
  });

type Step =
  | { readonly kind: "import"; readonly facts: readonly SourcedFacts[]; readonly forgets?: string }
  | { readonly kind: "replace"; readonly facts: readonly SourcedFacts[] }
  | { readonly kind: "again" }
  | { readonly kind: "rollback" };

const numberOf = (at: number) => generated[at]?.facts.kvkNumber ?? "";
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("import" as const),
      facts: fc.array(sourced, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("import" as const),
      facts: fc.array(sourced, { minLength: 1, maxLength: 3 }),
      forgets: fc.nat(COMPANIES - 1).map(numberOf),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      facts: fc.array(sourced, { minLength: 20, maxLength: 40 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: "again" as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: "rollback" as const }) },
);

/** Makes a few dozen companies produce deltas and new bases. */
const SMALL = 0.5;
/** Makes every import build one base. */
const WHOLE = 0;

const QUERIES = [
  ...generated.slice(0, 8).map(({ facts: { name } }) => name),
  ...generated.slice(8, 20).map(({ facts: { name } }) => name.slice(0, 5)),
  ...generated.slice(20, 26).map(({ facts: { name } }) => `${name.slice(0, 2)}${name.slice(3)}`),
  "st",
  "50",
  "bv",
];

/** All query results of a snapshot. */
function answersOf(snapshot: Snapshot | undefined): unknown {
  if (snapshot === undefined) return undefined;
  const numbers = generated.map(({ facts: { kvkNumber } }) => kvkNumber).filter((one) => isKvkNumber(one));
  const { companies, branches, origins } = snapshot.info;
  return {
    counts: { companies, branches, origins },
    all: [...snapshot.all()],
    old: [...snapshot.olderThan(Date.parse("2026-02-15T00:00:00.000Z"))],
    one: numbers.map((number) => [
      snapshot.basic(number),
      snapshot.enriched(number),
      snapshot.branches(number),
      snapshot.facts(number),
      ORIGINS.map((origin) => snapshot.factsOf(number, origin)),
    ]),
    typed: QUERIES.map((q) => snapshot.autocomplete(q, 12)),
    found: [
      ...QUERIES.map((q) => ({ q })),
      { isActive: true },
      { legalForm: "BV" as const },
      { city: "Utrecht" },
      { sbiCode: "4" },
      { postalCode: "3" },
    ].map((criteria) => inOneGo(snapshot.search({ ...criteria, page: 1, pageSize: 10 }))),
  };
}

/** Applies the same steps in two folders: one with a delta, the other with everything in one base. */
async function applyBoth(layered: string, whole: string, steps: readonly Step[]): Promise<void> {
  const omit = new Set<string>();
  let last: readonly SourcedFacts[] = generated;
  for (const one of steps) {
    if (one.kind === "rollback") {
      if (readPointer(layered)?.previous === undefined) continue;
      await rollback(layered);
      await rollback(whole);
      continue;
    }
    if (one.kind === "import" && one.forgets !== undefined) omit.add(one.forgets);
    if (one.kind !== "again") last = one.facts;
    const options = { replace: one.kind === "replace", omit };
    const { wrote, counts } = await importFacts(layered, last, { ...options, maxDeltaShare: SMALL });
    // A step that writes nothing cannot be rolled back.
    if (wrote === "nothing") continue;
    const other = await importFacts(whole, last, { ...options, maxDeltaShare: WHOLE });
    expect(counts).toEqual(other.counts);
  }
}

const filesIn = (directory: string) =>
  readdirSync(directory).filter((name) => /\.(sqlite|names)$/.test(name));
const namedFiles = (directory: string) =>
  new Set(namedLayers(readPointer(directory)).map(({ file }) => file));

/** A few runs with the same histories each time, which are known to make deltas and new bases, or many with others. */
const runs = (numbers: { readonly ordinary: number; readonly thorough: number }) => ({
  numRuns: amount(numbers),
  ...(!IS_THOROUGH && { seed: 1 }),
});

describe("a base and its delta", () => {
  it("return the same results as one full build of the same facts", async () => {
    let most = 0;
    const wrote = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
        const [layered, whole] = [temporaryFolder(), temporaryFolder()];
        for (const directory of [layered, whole]) await importFacts(directory, generated, { replace: false });
        await applyBoth(layered, whole, steps);
        const [one, other] = [openCurrentSnapshot(layered), openCurrentSnapshot(whole)];
        try {
          most = Math.max(most, one?.layers.length ?? 0);
          for (const layer of one?.layers ?? []) wrote.add(layer.info.file);
          expect(answersOf(one)).toEqual(answersOf(other));
        } finally {
          one?.close();
          other?.close();
        }
        const sqlite = filesIn(layered).filter((name) => name.endsWith(".sqlite") && name !== "lock.sqlite");
        expect(new Set(sqlite)).toEqual(namedFiles(layered));
      }),
      runs({ ordinary: 4, thorough: 30 }),
    );
    expect(most).toBe(2);
    expect(wrote.size).toBeGreaterThan(4);
  }, 240_000);

  it("contain no suppressed company in any file, two imports later", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.nat(COMPANIES - 1), async (steps, at) => {
        const [layered, whole] = [temporaryFolder(), temporaryFolder()];
        for (const directory of [layered, whole]) await importFacts(directory, generated, { replace: false });
        await applyBoth(layered, whole, steps);
        const omit = new Set([numberOf(at)]);
        for (const _ of [1, 2])
          await importFacts(layered, generated, { replace: false, omit, maxDeltaShare: SMALL });
        for (const layer of namedLayers(readPointer(layered))) {
          const file = openLayer(join(layered, layer.file), layer);
          expect(file.holds(Number(numberOf(at)))).toBe(false);
          file.close();
        }
      }),
      runs({ ordinary: 1, thorough: 8 }),
    );
  }, 240_000);

  it("write nothing for existing facts, whatever happened in between", async () => {
    const directory = temporaryFolder();
    await importFacts(directory, generated, { replace: false });
    const changed = generated.slice(0, 3).map((one) => ({ ...one, facts: { ...one.facts, name: "Anders" } }));
    const { counts } = await importFacts(directory, changed, { replace: false, maxDeltaShare: SMALL });
    expect(counts).toEqual({ new: 0, changed: 3, unchanged: 0, repeated: 0 });
    const before = [readPointer(directory), filesIn(directory)];
    const all = [...changed, ...generated.slice(3), ...generated.slice(3, 5)];
    const again = await importFacts(directory, all, { replace: false, maxDeltaShare: SMALL });
    expect(again).toMatchObject({ wrote: "nothing", counts: { unchanged: COMPANIES, repeated: 2 } });
    expect(again.snapshot).toEqual(readPointer(directory)?.current);
    expect([readPointer(directory), filesIn(directory)]).toEqual(before);
  });

  it("are described in the pointer, a base alone by its own fields", async () => {
    const directory = temporaryFolder();
    await importFacts(directory, generated, { replace: false });
    expect(readPointer(directory)?.current).not.toHaveProperty("layers");
    await importFacts(directory, generated.slice(1).concat(renamed(generated[0])), {
      replace: false,
      maxDeltaShare: SMALL,
    });
    expect(readPointer(directory)).toMatchObject({
      current: {
        file: "segment-2.sqlite",
        companies: COMPANIES,
        layers: [{ file: "snapshot-1.sqlite" }, { companies: 1 }],
      },
    });
  });

  it("are followed by a running server, which opens new files and keeps the unchanged ones", async () => {
    const directory = temporaryFolder();
    await importFacts(directory, generated, { replace: false });
    const swapped = Promise.withResolvers<void>();
    const registry = await openRegistry(directory, { pollMs: 10, onSwap: () => swapped.resolve() });
    onTestFinished(() => registry.close());
    const [first] = generated;
    const before = registry.current;
    await importFacts(directory, [renamed(first)], { replace: false, maxDeltaShare: SMALL });
    await swapped.promise;
    const number = first?.facts.kvkNumber;
    if (number === undefined) throw new RangeError("there is no company");
    expect(registry.current?.basic(number)?.name).toBe(RENAMED);
    expect(registry.current?.autocomplete(RENAMED, 3).map(({ kvkNumber }) => kvkNumber)).toEqual([number]);
    // A call finishes with the snapshot that it began with.
    expect(before?.basic(number)?.name).toBe(first?.facts.name);
    expect(before?.autocomplete(RENAMED, 3)).toEqual([]);
  });
});

const RENAMED = "Zilverzwaluw Overslag";

function renamed(one: SourcedFacts | undefined): SourcedFacts {
  if (one === undefined) throw new RangeError("there is no company");
  return { ...one, facts: { ...one.facts, name: RENAMED } };
}
