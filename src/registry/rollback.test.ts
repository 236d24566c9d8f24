import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { add, companyFacts, current, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { readPointer } from "./directory.ts";
import { RegistryNotReadable } from "./errors.ts";
import { verifySnapshot } from "./openSnapshot.ts";
import { pointerPath } from "./paths.ts";
import { NoPreviousSnapshot, rollback } from "./rollback.ts";

const number = (of: number): KvkNumber => companyFacts(of).kvkNumber;

describe("rollback", () => {
  it("goes back to the previous snapshot, and forward again", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1));
    await add(directory, sourcedFacts(2));
    expect((await rollback(directory)).companies).toBe(1);
    expect(current(directory).info.companies).toBe(1);
    expect((await rollback(directory)).companies).toBe(2);
    const { previous } = readPointer(directory) ?? {};
    if (previous === undefined) throw new Error("the snapshot before is gone");
    await verifySnapshot(join(directory, previous.file), previous);
  });

  it("never assigns a number twice, even after a rollback", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1));
    await add(directory, sourcedFacts(2));
    await rollback(directory);
    const { snapshot } = await add(directory, sourcedFacts(3));
    expect(snapshot?.number).toBe(3);
    expect([...current(directory).all()].map(({ company }) => company.kvkNumber)).toEqual([
      number(1),
      number(3),
    ]);
  });

  it("changes nothing without a previous snapshot or with a damaged one", async () => {
    const directory = temporaryFolder();
    await expect(rollback(directory)).rejects.toThrow(NoPreviousSnapshot);
    expect(existsSync(pointerPath(directory))).toBe(false);
    const { snapshot } = await add(directory, sourcedFacts(1));
    await expect(rollback(directory)).rejects.toThrow("there is none");
    await add(directory, sourcedFacts(2));
    writeFileSync(join(directory, snapshot?.file ?? ""), "damaged");
    await expect(rollback(directory)).rejects.toThrow("snapshot-1.sqlite: it has 7 bytes");
    expect(current(directory).info.companies).toBe(2);
  });

  it("reports an unreadable registry instead of a missing snapshot", async () => {
    const directory = join(temporaryFolder(), "registry");
    writeFileSync(directory, "a file where a folder is meant");
    await expect(rollback(directory)).rejects.toThrow(RegistryNotReadable);
  });
});
