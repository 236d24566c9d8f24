import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { add, current, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { copyRegistry, placeRegistry, RegistryThere } from "./backup.ts";
import { readPointer } from "./directory.ts";

/** What a registry has beside its copy: its lock, and the note that the snapshot was read as a whole. */
const OF_ITS_OWN = ["lock.sqlite", "snapshot-1.verified"];

/** A copy of a registry of one company. */
async function backup(): Promise<string> {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const copy = join(temporaryFolder(), "copy");
  copyRegistry(directory, copy);
  return copy;
}

it("a copy is put where there is no registry, and never over one", async () => {
  const copy = await backup();
  const directory = temporaryFolder();
  await placeRegistry(copy, directory);
  expect(current(directory).info.companies).toBe(1);
  expect(readdirSync(directory).sort()).toEqual([...readdirSync(copy), ...OF_ITS_OWN].sort());
  await expect(placeRegistry(copy, directory)).rejects.toThrow(RegistryThere);
});

it("what a kill left half written in the place of a file is written anew", async () => {
  const copy = await backup();
  const directory = temporaryFolder();
  const { file } = readPointer(copy)?.current ?? { file: "" };
  copyFileSync(join(copy, file), join(directory, file));
  truncateSync(join(directory, file), 1_000);
  mkdirSync(join(directory, "building"));
  copyFileSync(join(copy, file), join(directory, "building", file));
  await placeRegistry(copy, directory);
  expect(current(directory).info.companies).toBe(1);
  expect(readdirSync(directory)).not.toContain("building");
});

/** A folder on another file system than `other`, where this machine has one that may be written. */
function folderElsewhere(other: string): string | undefined {
  for (const folder of ["/dev/shm", "/var/tmp"]) {
    try {
      if (statSync(folder).dev === statSync(other).dev) continue;
      const made = mkdtempSync(join(folder, "opzoek-elsewhere-"));
      onTestFinished(() => rmSync(made, { recursive: true }));
      return made;
    } catch {
      // It is not there, or belongs to somebody else.
    }
  }
  return undefined;
}

it("a copy comes from another file system as well", async (test) => {
  const copy = await backup();
  const directory = folderElsewhere(copy);
  if (directory === undefined) return test.skip("this machine has one file system");
  await placeRegistry(copy, directory);
  expect(current(directory).info.companies).toBe(1);
  expect(readdirSync(directory).sort()).toEqual([...readdirSync(copy), ...OF_ITS_OWN].sort());
});
