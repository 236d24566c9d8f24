import { ChildProcess, spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { itWith, root } from "../../../test/kit/needs.ts";
import {
  add,
  current,
  type OpenSnapshot,
  sourcedFacts,
  temporaryFolder,
} from "../../../test/kit/registry.ts";
import { until } from "../../../test/kit/until.ts";
import { generateCompanies } from "../../demo/registry/generateCompanies.ts";
import { NameIndex } from "../../search/index/nameIndex.ts";
import { takeNamesLock } from "../lock.ts";
import { openRegistry } from "../registry.ts";
import type { LayerPlace } from "../types.ts";
import { verifyAnew } from "../verified.ts";
import { buildNames } from "./buildNames.ts";
import { namesPathOf, readNames } from "./storedNames.ts";

/** Enough companies for a separate thread. */
const COMPANIES = 20_100;
const OTHER_ID = 65_534;
const SHIELDED = { kind: "visiting", city: "Verzinstad", isShielded: true } as const;

/** All facts in an index, by rank, and the names with each RSIN. */
function factsIn(buffer: SharedArrayBuffer | undefined, rsins: readonly string[]): unknown[] {
  if (buffer === undefined) throw new Error("there is no index");
  const index = new NameIndex(buffer);
  const { names, records, nameWords, dictionary } = index;
  const facts = Array.from({ length: names }, (_, rank) => [
    records.kvk(rank),
    records.text(rank),
    index.mainRank(rank),
    records.cities.text(rank),
    records.postalCodes.text(rank),
    records.legalForm(rank),
    records.house(rank),
    Array.from(nameWords.words(rank), (word) => dictionary.word(word)).join(" "),
  ]);
  return [facts, rsins.map((rsin) => [...index.withNumber(rsin)])];
}

function placeOf([base]: OpenSnapshot["layers"]): LayerPlace {
  if (base === undefined) throw new RangeError("a snapshot has a base");
  return base.place;
}

it("builds the same index during an import as from the rows, even with repeated companies", async () => {
  const directory = temporaryFolder();
  const generated = [...generateCompanies({ companies: 300, seed: 3 })];
  const facts = Array.from({ length: COMPANIES - generated.length }, (_, nth) =>
    sourcedFacts(COMPANIES - nth),
  );
  const later = { asOf: "2026-06-01T00:00:00.000Z" };
  const again = [...generated, ...facts].slice(280, 320).map((one, nth) => ({
    ...one,
    ...later,
    facts: { ...one.facts, ...(nth % 2 === 0 ? { name: `Nieuwe naam ${nth}` } : { address: SHIELDED }) },
  }));
  const rsins = generated.flatMap(({ facts: { rsin = [] } }) => rsin);
  await add(directory, ...facts, ...generated, ...again);
  const { layers, info } = current(directory);
  const place = placeOf(layers);
  const whileReading = readNames(place);
  rmSync(namesPathOf(place.path));
  await buildNames(place);
  const [one, other] = [whileReading, readNames(place)].map((names) => factsIn(names, rsins));
  expect(JSON.stringify(one) === JSON.stringify(other)).toBe(true);
  expect(info.companies).toBe(COMPANIES);
}, 120_000);

it("refuses to build an index for which the memory limit leaves too little, instead of being killed", async () => {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const place = placeOf(current(directory).layers);
  rmSync(namesPathOf(place.path));
  const limit = vi.spyOn(process, "constrainedMemory").mockReturnValue(1e9);
  onTestFinished(() => limit.mockRestore());
  const large = { ...place, info: { ...place.info, companies: 4_000_000 } };
  await expect(buildNames(large)).rejects.toThrow(
    /4,000,000 companies needs 1,220 MB, but of the memory limit of 1,000 MB only [0-9]+ MB are free: .*registry prepare/,
  );
  expect(existsSync(namesPathOf(place.path))).toBe(false);
  limit.mockReturnValue(2 ** 60);
  await buildNames(large);
  expect(existsSync(namesPathOf(place.path))).toBe(true);
  // An index that another process has stored meanwhile needs no memory.
  limit.mockReturnValue(1e9);
  expect(await buildNames(large)).toEqual(large);
});

it("builds an index despite a leftover of a killed build that cannot be written", async () => {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const place = placeOf(current(directory).layers);
  const path = namesPathOf(place.path);
  rmSync(path);
  symlinkSync(join(directory, "missing", "file"), `${path}.new`);
  await buildNames(place);
  expect(new NameIndex(readNames(place)).companies).toBe(1);
  expect(readdirSync(directory).filter((name) => name.endsWith(".new"))).toEqual([]);
});

itWith(root, "gives the owner of the folder all files of an index that root builds", async () => {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const { layers, info } = current(directory);
  const place = placeOf(layers);
  rmSync(namesPathOf(place.path));
  for (const name of [".", ...readdirSync(directory)]) chownSync(join(directory, name), OTHER_ID, OTHER_ID);
  await buildNames(place);
  await verifyAnew(directory, info);
  const foreign = readdirSync(directory).filter((name) => statSync(join(directory, name)).uid !== OTHER_ID);
  expect(foreign).toEqual([]);
});

it("builds nothing once the process that needs the index was killed", async () => {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const place = placeOf(current(directory).layers);
  rmSync(namesPathOf(place.path));
  const lock = takeNamesLock(directory);
  const script = `
    import { subscribe } from "node:diagnostics_channel";
    import { buildNames } from ${JSON.stringify(new URL("./buildNames.ts", import.meta.url))};
    subscribe("child_process", ({ process: builder }) => {
      builder.once("spawn", () => process.kill(process.pid, "SIGKILL"));
    });
    await buildNames(${JSON.stringify(place)});`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const printed: string[] = [];
  parent.stderr.on("data", (part) => printed.push(String(part)));
  // The builder shares this pipe, which closes when both processes have ended.
  const closed = once(parent, "close");
  await once(parent, "exit");
  lock.release();
  expect(await closed).toEqual([null, "SIGKILL"]);
  expect(printed.join("")).toBe("");
  expect(readdirSync(directory).filter((name) => name.includes("names"))).toEqual(["names-lock.sqlite"]);
}, 60_000);

it("reports why the registry's folder cannot be written, even if the temporary folder cannot either", async () => {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const place = placeOf(current(directory).layers);
  rmSync(namesPathOf(place.path));
  mkdirSync(join(directory, "names-lock.sqlite"));
  const gone = join(directory, "gone");
  await expect(buildNames(place, { temporaryFolder: join(gone, "folder") })).rejects.toThrow(
    `The registry in ${directory} cannot be written: check that the folder exists and that you may write in it, and try again. Nothing has changed. ${gone} cannot be used instead: ENOENT`,
  );
});

it("leaves no temporary folder behind when the process that fills it is killed", async () => {
  const directory = temporaryFolder();
  const temporary = temporaryFolder();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  await add(directory, ...generateCompanies({ companies: COMPANIES, seed: 3 }));
  rmSync(namesPathOf(placeOf(current(directory).layers).path));
  // No lock can be taken here, as in a folder that cannot be written.
  mkdirSync(join(directory, "names-lock.sqlite"));
  const killAtProgress = (message: unknown) => {
    if (!(typeof message === "object" && message !== null && "process" in message)) return;
    const { process: builder } = message;
    if (builder instanceof ChildProcess) builder.once("message", () => builder.kill("SIGKILL"));
  };
  subscribe("child_process", killAtProgress);
  onTestFinished(() => void unsubscribe("child_process", killAtProgress));
  const states: string[] = [];
  const registry = await openRegistry(directory, { onBuilding: ({ state }) => states.push(state) });
  onTestFinished(() => registry.close());
  await until("the build ends", () => states.includes("failed") || states.includes("done"));
  expect(readdirSync(temporary)).toEqual([]);
}, 60_000);

it("has its process killed when the caller needs the index no longer", async () => {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const place = placeOf(current(directory).layers);
  rmSync(namesPathOf(place.path));
  const lock = takeNamesLock(directory);
  const stopping = new AbortController();
  const building = buildNames(place, { signal: stopping.signal });
  stopping.abort(new Error("stopped"));
  await expect(building).rejects.toThrow("stopped");
  lock.release();
  expect(existsSync(namesPathOf(place.path))).toBe(false);
});

it("builds and stores a missing index, and rejects the index of another snapshot", async () => {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const place = placeOf(current(directory).layers);
  const path = namesPathOf(place.path);
  rmSync(path);
  await buildNames(place);
  expect(current(directory).autocomplete("voorbeeld", 8)).toHaveLength(1);
  expect(new NameIndex(readNames(place)).companies).toBe(1);
  const other = { ...place, info: { ...place.info, sha256: "0".repeat(64) } };
  expect(() => readNames(other)).toThrow("it was built from another source");
  expect(() => readNames({ ...place, path: join(directory, "snapshot-9.sqlite") })).toThrow("it is missing");
});
