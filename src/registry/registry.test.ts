import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { companyFacts, NAMES, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { until } from "../../test/kit/until.ts";
import { readPointer, writePointer } from "./directory.ts";
import { DamagedSnapshot } from "./errors.ts";
import { importFacts } from "./importFacts.ts";
import { pointerPath } from "./paths.ts";
import { openRegistry, type RegistryOptions, startOpening } from "./registry.ts";
import { rollback } from "./rollback.ts";
import type { Registry } from "./types.ts";

const add = (directory: string, of: number) => importFacts(directory, [sourcedFacts(of)], { replace: false });

async function open(directory: string, options: RegistryOptions = {}): Promise<Registry> {
  const registry = await openRegistry(directory, { pollMs: 5, ...options });
  onTestFinished(() => registry.close());
  return registry;
}

describe("openRegistry", () => {
  it("is empty before the first import and then serves it", async () => {
    const directory = join(temporaryFolder(), "registry");
    const registry = await open(directory);
    expect(registry.current).toBeUndefined();
    await add(directory, 1);
    await until("it is served", () => registry.current?.info.companies === 1);
  });

  it("serves new snapshots and rollbacks, and reports them", async () => {
    const directory = temporaryFolder();
    const swaps: number[] = [];
    await add(directory, 1);
    const registry = await open(directory, { onSwap: ({ number }) => swaps.push(number) });
    await add(directory, 2);
    await until("it is served", () => registry.current?.info.companies === 2);
    await rollback(directory);
    await until("it is served", () => registry.current?.info.companies === 1);
    expect(swaps).toEqual([2, 1]);
  });

  it("keeps a replaced snapshot usable for requests in progress", async () => {
    const directory = temporaryFolder();
    await add(directory, 1);
    const registry = await open(directory);
    const before = registry.current;
    const walk = before?.all()[Symbol.iterator]();
    await add(directory, 2);
    await add(directory, 3);
    await until("it is served", () => registry.current?.info.companies === 3);
    expect(before?.basic(companyFacts(1).kvkNumber)?.name).toBe("Voorbeeld 1 B.V.");
    expect(before?.autocomplete("voorbeeld", 8)).toHaveLength(1);
    expect(walk?.next().value).toMatchObject({ company: { name: "Voorbeeld 1 B.V." } });
  });

  it("keeps the old snapshot when the new one cannot be used, and reports it once", async () => {
    const directory = temporaryFolder();
    const problems: unknown[] = [];
    await add(directory, 1);
    const registry = await open(directory, { onProblem: (problem) => problems.push(problem) });
    const pointer = readPointer(directory);
    if (pointer === undefined) throw new Error("nothing was imported");
    const missing = { ...pointer.current, number: 7, file: "snapshot-7.sqlite" };
    writePointer(directory, { current: missing });
    await until("it is reported", () => problems.length === 1);
    expect(problems[0]).toBeInstanceOf(DamagedSnapshot);
    expect(registry.current?.info.companies).toBe(1);

    writeFileSync(pointerPath(directory), "not JSON");
    await until("it is reported", () => problems.length === 2);
    expect(registry.current?.basic(companyFacts(1).kvkNumber)).toBeDefined();

    writePointer(directory, pointer);
    await add(directory, 2);
    await until("it is served", () => registry.current?.info.companies === 2);
    expect(problems).toHaveLength(2);
  });

  it("does not start with a damaged snapshot", async () => {
    const directory = temporaryFolder();
    const { snapshot } = await add(directory, 1);
    writeFileSync(join(directory, snapshot?.file ?? ""), Buffer.alloc(snapshot?.bytes ?? 0));
    await expect(openRegistry(directory)).rejects.toThrow("it is not a SQLite file");
    writeFileSync(pointerPath(directory), "{}");
    await expect(openRegistry(directory)).rejects.toThrow("it is not a list of snapshots");
  });

  it("is empty after closing", async () => {
    const directory = temporaryFolder();
    await add(directory, 1);
    const registry = await open(directory);
    registry.close();
    expect(registry.current).toBeUndefined();
  });
});

describe("a large index of names", () => {
  /** Treats every index as large. */
  const LARGE = { readHereBytes: 0, pollMs: 5 };

  async function layered(): Promise<string> {
    const directory = temporaryFolder();
    await importFacts(
      directory,
      Array.from({ length: 40 }, (_, nth) => sourcedFacts(nth + 1)),
      { replace: false },
    );
    const renamed = sourcedFacts(2, { name: "Anders B.V." }, { asOf: "2026-06-01T00:00:00.000Z" });
    await importFacts(directory, [renamed], { replace: false });
    return directory;
  }

  it("is loaded when the registry is open, together with its deltas", async () => {
    const directory = await layered();
    const { current } = await open(directory, LARGE);
    expect(current?.info.layers).toHaveLength(2);
    expect(current?.isFindable).toBe(true);
    const names = [1, 2].map((of) => current?.basic(companyFacts(of).kvkNumber)?.name);
    expect(names).toEqual(["Voorbeeld 1 B.V.", "Anders B.V."]);
    expect(current?.autocomplete("voorbeeld 2", 8).map(({ name }) => name)).not.toContain("Voorbeeld 2 B.V.");
    expect(current?.autocomplete("anders", 8)).toHaveLength(1);
  });

  it("that is still being read aborts the opening without an error when the registry is closed", async () => {
    const directory = await layered();
    const { registry, opened } = startOpening(directory, LARGE);
    registry.close();
    await opened;
    expect(registry.current).toBeUndefined();
  });

  it("that is damaged is rebuilt in the background while companies can be looked up", async () => {
    const directory = await layered();
    writeFileSync(join(directory, `snapshot-1.${NAMES}`), "no index of names");
    const registry = await open(directory, LARGE);
    expect(registry.current?.isFindable).toBe(false);
    expect(registry.current?.basic(companyFacts(1).kvkNumber)?.name).toBe("Voorbeeld 1 B.V.");
    await until("its names can be found", () => registry.current?.isFindable === true);
    expect(registry.current?.autocomplete("voorbeeld 1", 8)).not.toHaveLength(0);
  });
});
