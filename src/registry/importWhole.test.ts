import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { add, current, NAMES, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import type { SourcedFacts } from "../company/facts.ts";
import { readPointer } from "./directory.ts";
import { DamagedSnapshot, RegistryBusy, RegistryNotWritable } from "./errors.ts";
import { importFacts } from "./importFacts.ts";
import { takeLock } from "./lock.ts";
import { pointerPath } from "./paths.ts";

describe("an import", () => {
  it("changes nothing and leaves no files when its source fails", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1));
    const before = readdirSync(directory).sort();
    async function* failing(): AsyncGenerator<SourcedFacts> {
      yield sourcedFacts(2);
      throw new Error("the file is truncated");
    }
    await expect(importFacts(directory, failing(), { replace: true })).rejects.toThrow(
      "the file is truncated",
    );
    expect(readdirSync(directory).sort()).toEqual(before);
    expect(current(directory).info.companies).toBe(1);
  });

  it("keeps only the current and the previous snapshot", async () => {
    const directory = temporaryFolder();
    for (const of of [1, 2, 3]) await add(directory, sourcedFacts(of));
    expect(readdirSync(directory).sort()).toEqual([
      "current.json",
      "lock.sqlite",
      `snapshot-2.${NAMES}`,
      "snapshot-2.sqlite",
      "snapshot-2.verified",
      `snapshot-2.verified-${NAMES}`,
      `snapshot-3.${NAMES}`,
      "snapshot-3.sqlite",
      "snapshot-3.verified",
      `snapshot-3.verified-${NAMES}`,
    ]);
    const pointer = readPointer(directory);
    expect([pointer?.current.companies, pointer?.previous?.companies]).toEqual([3, 2]);
  });

  it("is refused while another import runs", async () => {
    const directory = temporaryFolder();
    const lock = takeLock(directory);
    await expect(add(directory, sourcedFacts(1))).rejects.toThrow(RegistryBusy);
    await expect(add(directory, sourcedFacts(1))).rejects.toThrow("wait until it is done and try again");
    lock.release();
    expect((await add(directory, sourcedFacts(1))).counts.new).toBe(1);
  });

  it("deletes leftovers of a killed import but no other files", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1));
    mkdirSync(join(directory, "building"));
    for (const name of [
      "building/snapshot.sqlite",
      "snapshot-9.sqlite",
      `snapshot-9.${NAMES}`,
      "snapshot-9.verified",
      `snapshot-9.verified-${NAMES}`,
      "current.json.new",
      "notes.txt",
    ]) {
      writeFileSync(join(directory, name), "left over");
    }
    const { snapshot } = await add(directory, sourcedFacts(2));
    expect(snapshot?.file).toBe("snapshot-2.sqlite");
    expect(readdirSync(directory).sort()).toEqual([
      "current.json",
      "lock.sqlite",
      "notes.txt",
      `snapshot-1.${NAMES}`,
      "snapshot-1.sqlite",
      "snapshot-1.verified",
      `snapshot-1.verified-${NAMES}`,
      `snapshot-2.${NAMES}`,
      "snapshot-2.sqlite",
      "snapshot-2.verified",
      `snapshot-2.verified-${NAMES}`,
    ]);
  });

  it("does not add to a damaged snapshot but can replace it", async () => {
    const directory = temporaryFolder();
    const { snapshot } = await add(directory, sourcedFacts(1));
    writeFileSync(join(directory, snapshot?.file ?? ""), "no longer a snapshot");
    await expect(add(directory, sourcedFacts(2))).rejects.toThrow(DamagedSnapshot);
    await importFacts(directory, [sourcedFacts(2)], { replace: true });
    expect(current(directory).info.companies).toBe(1);
    expect(readPointer(directory)?.previous).toBeUndefined();

    writeFileSync(pointerPath(directory), "{");
    await expect(add(directory, sourcedFacts(3))).rejects.toThrow(DamagedSnapshot);
    expect((await importFacts(directory, [sourcedFacts(3)], { replace: true })).snapshot?.number).toBe(3);
    expect(current(directory).info.companies).toBe(1);
  });

  it("explains what to do when the folder cannot be written", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "in the way");
    await expect(add(join(file, "registry"), sourcedFacts(1))).rejects.toThrow(RegistryNotWritable);
    await expect(add(join(file, "registry"), sourcedFacts(1))).rejects.toThrow(
      "check that the folder exists",
    );
  });

  it("rebuilds after a killed import left files and a damaged pointer", async () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, "building"));
    writeFileSync(join(directory, "building/snapshot.sqlite"), "left over");
    writeFileSync(pointerPath(directory), "{");
    await importFacts(directory, [sourcedFacts(1)], { replace: true });
    expect(current(directory).info.companies).toBe(1);
  });
});
