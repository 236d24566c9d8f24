import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { companyFacts, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { until } from "../../test/kit/until.ts";
import { readPointer, writePointer } from "./directory.ts";
import { ReplacedFile } from "./errors.ts";
import { importFacts } from "./importFacts.ts";
import { layersOf } from "./info.ts";
import { openNamed } from "./openSnapshot.ts";
import { POINTER } from "./paths.ts";
import { openRegistry } from "./registry.ts";
import type { Registry } from "./types.ts";

/** Every change becomes a delta. */
const maxDeltaShare = 0.9;
const SECRET = sourcedFacts(1, { name: "Zwartkijker Geheim" }, { origin: "import:secret" });
const NEW = sourcedFacts(2, { name: "Paarsvogel Nieuw" }, { origin: "import:new" });

const add = (directory: string, ...facts: (typeof NEW)[]) =>
  importFacts(directory, facts, { replace: false, maxDeltaShare });
const newestFile = (directory: string) => readPointer(directory)?.current.file;

/** A followed registry, and a copy from before its newest segment. */
async function followed() {
  const directory = temporaryFolder();
  await add(directory, ...Array.from({ length: 40 }, (_, nth) => sourcedFacts(10 + nth)));
  const earlier = temporaryFolder();
  cpSync(directory, earlier, { recursive: true });
  await add(directory, SECRET);
  const registry = await openRegistry(directory, { pollMs: 5 });
  onTestFinished(() => registry.close());
  expect(whatIsIn(registry)).toEqual({ found: [1, 0], names: ["Zwartkijker Geheim", undefined] });
  return { directory, earlier, registry };
}

function whatIsIn({ current }: Registry) {
  return {
    found: ["zwartkijker", "paarsvogel"].map((q) => current?.autocomplete(q, 8).length),
    names: [1, 2].map((number) => current?.basic(companyFacts(number).kvkNumber)?.name),
  };
}

/** Replaces the files of a registry by those of `from`. Open files are not affected. */
function putBack(directory: string, from: string): void {
  const pointer = readPointer(from) ?? fail();
  const files = (of: string) => readdirSync(of).filter((name) => name !== POINTER);
  for (const name of files(directory)) rmSync(join(directory, name), { recursive: true });
  for (const name of files(from)) cpSync(join(from, name), join(directory, name), { recursive: true });
  writePointer(directory, pointer);
}

/** Restores the earlier registry, so that the next import reuses the name of the deleted file. */
async function useAgain(directory: string, earlier: string, between: () => Promise<void>): Promise<void> {
  const before = newestFile(directory);
  putBack(directory, earlier);
  await between();
  await add(directory, NEW);
  expect(newestFile(directory)).toBe(before);
}

async function expectNew(directory: string, registry: Registry): Promise<void> {
  const { sha256 } = readPointer(directory)?.current ?? {};
  await until("it is served", () => registry.current?.info.sha256 === sha256);
  expect(whatIsIn(registry)).toEqual({ found: [0, 1], names: [undefined, "Paarsvogel Nieuw"] });
}

it("serves the new content of a file whose name was reused", async () => {
  const { directory, earlier, registry } = await followed();
  await useAgain(directory, earlier, async () => {
    await until("what is between is served", () => layersOf(registry.current?.info ?? fail()).length === 1);
  });
  await expectNew(directory, registry);
});

it("serves it even if no poll saw the registry in between", async () => {
  const { directory, earlier, registry } = await followed();
  const elsewhere = temporaryFolder();
  cpSync(directory, elsewhere, { recursive: true });
  await useAgain(elsewhere, earlier, async () => {});
  putBack(directory, elsewhere);
  await expectNew(directory, registry);
});

it("does not open an outdated snapshot with a file of another one", async () => {
  const { directory, earlier } = await followed();
  const before = readPointer(directory)?.current ?? fail();
  await useAgain(directory, earlier, async () => {});
  const names = "building";
  expect(() => openNamed(directory, before, { names })).toThrow(ReplacedFile);
  openNamed(directory, readPointer(directory)?.current ?? fail(), { names }).close();
});

function fail(): never {
  throw new Error("there is no snapshot");
}
