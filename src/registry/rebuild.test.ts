import { describe, expect, it } from "vitest";
import { bytesOf, current, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import type { SourcedFacts } from "../company/facts.ts";
import { generateCompanies } from "../demo/registry/generateCompanies.ts";
import { readPointer } from "./directory.ts";
import { importFacts } from "./importFacts.ts";
import { layersOf } from "./info.ts";
import { takeLock } from "./lock.ts";
import { rebuild } from "./rebuild.ts";
import { rollback } from "./rollback.ts";
import { verifyAnew } from "./verified.ts";

/** Every change becomes a delta. */
const maxDeltaShare = 0.9;
const add = (directory: string, ...facts: SourcedFacts[]) =>
  importFacts(directory, facts, { replace: false, maxDeltaShare });
const named = (number: number, name: string, origin: string, asOf?: string) =>
  sourcedFacts(number, { name }, { origin, ...(asOf !== undefined && { asOf }) });

/** A base and a delta that was written twice. Company 1 has a name in each, company 2 only in the base. */
async function layered(): Promise<string> {
  const directory = temporaryFolder();
  await add(
    directory,
    ...generateCompanies({ companies: 40, seed: 3 }),
    named(1, "Geheim Eerst", "import:list"),
    named(2, "Twee Blijft", "import:list"),
  );
  await add(directory, named(1, "Geheim Later", "kvk-api", "2026-02-01T00:00:00.000Z"));
  await add(
    directory,
    named(1, "Geheim Laatst", "kvk-api", "2026-03-01T00:00:00.000Z"),
    named(3, "Drie", "kvk-api"),
  );
  return directory;
}

const without = (directory: string, ...kvkNumbers: string[]) =>
  rebuild(directory, { omit: new Set(kvkNumbers), onProgress: () => {} });
const rowsOf = (directory: string) => [...current(directory).all()];
const layersIn = (directory: string) =>
  layersOf(current(directory).info).map(({ file }) => file.split("-")[0]);

describe("rebuilding a registry", () => {
  it("removes every byte of a forgotten company and keeps all others", async () => {
    const directory = await layered();
    const before = rowsOf(directory);
    const { info } = current(directory);
    expect(layersIn(directory)).toEqual(["snapshot", "segment"]);
    const bytes = bytesOf(directory);
    for (const name of ["Geheim Eerst", "Geheim Later", "Geheim Laatst"]) expect(bytes).toContain(name);
    const rebuilt = await without(directory, "50000001", "50000099");
    expect(rebuilt).toMatchObject({ removed: 1, isNew: true });
    expect(bytesOf(directory).toLowerCase()).not.toContain("geheim");
    expect(layersIn(directory)).toEqual(["snapshot"]);
    expect(rowsOf(directory)).toEqual(before.filter(({ company }) => company.kvkNumber !== "50000001"));
    const after = current(directory);
    expect(after.info).toMatchObject({ companies: info.companies - 1 });
    expect(after.info.origins.map(({ origin, companies }) => [origin, companies])).toEqual([
      ["demo", 40],
      ["import:list", 1],
      ["kvk-api", 1],
    ]);
    expect([after.autocomplete("geheim", 8), after.autocomplete("twee blijft", 8)]).toMatchObject([
      [],
      [{ name: "Twee Blijft" }],
    ]);
    await verifyAnew(directory, after.info);
    await expect(rollback(directory)).rejects.toThrow("no earlier snapshot");
    // The next import adds to it.
    await add(directory, sourcedFacts(6));
    expect(current(directory).info.companies).toBe(info.companies);
  });

  it("merges several files into one, which can be rolled back, if no company is forgotten", async () => {
    const directory = await layered();
    const before = rowsOf(directory);
    expect(await without(directory)).toMatchObject({ removed: 0, isNew: true });
    expect([layersIn(directory), rowsOf(directory)]).toEqual([["snapshot"], before]);
    expect(await without(directory)).toMatchObject({ removed: 0, isNew: false });
    await rollback(directory);
    expect([layersIn(directory).length, rowsOf(directory)]).toEqual([2, before]);
  });

  it("deletes a previous snapshot with a forgotten company even if the current one has none", async () => {
    const directory = await layered();
    await importFacts(directory, [sourcedFacts(7)], { replace: true });
    expect(bytesOf(directory)).toContain("Geheim Eerst");
    const { file } = current(directory).info;
    expect(await without(directory, "50000001")).toMatchObject({ removed: 0, isNew: false });
    expect(bytesOf(directory).toLowerCase()).not.toContain("geheim");
    expect(readPointer(directory)).toMatchObject({ current: { file } });
    expect(readPointer(directory)?.previous).toBeUndefined();
  });

  it("can produce an empty registry, which later imports fill", async () => {
    const directory = temporaryFolder();
    await add(directory, named(1, "Geheim Alleen", "demo"));
    await without(directory, "50000001");
    expect(rowsOf(directory)).toEqual([]);
    expect(bytesOf(directory)).not.toContain("Geheim");
    await add(directory, sourcedFacts(2));
    expect(rowsOf(directory)).toHaveLength(1);
  });

  it("is refused during an import, and does nothing without a registry", async () => {
    const directory = await layered();
    const lock = takeLock(directory);
    await expect(without(directory, "50000001")).rejects.toThrow("Another import");
    lock.release();
    expect(await without(temporaryFolder(), "50000001")).toBeUndefined();
  });
});

describe("an import", () => {
  it.each([
    ["that replaces all", true, [sourcedFacts(8)]],
    ["that adds to the registry", false, [sourcedFacts(8)]],
    ["that changes nothing", false, [named(2, "Twee Blijft", "import:list")]],
  ])("%s leaves no file with a forgotten company", async (_kind, replace, facts) => {
    const directory = await layered();
    await importFacts(directory, facts, { replace, maxDeltaShare, omit: new Set(["50000001"]) });
    expect(bytesOf(directory).toLowerCase()).not.toContain("geheim");
  });
});
