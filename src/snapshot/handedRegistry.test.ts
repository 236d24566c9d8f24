import { copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { companyFacts, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { until } from "../../test/kit/until.ts";
import { DamagedSnapshot, ReplacedFile } from "./damaged.ts";
import { HandedRegistry } from "./handedRegistry.ts";
import { importFacts } from "./importFacts.ts";
import { startOpening } from "./registry.ts";
import type { HandedSnapshot } from "./snapshotFile.ts";

const add = (directory: string, of: number) => importFacts(directory, [sourcedFacts(of)], { replace: false });

/** A folder with one company, whose registry is followed; what it hands to other threads comes as they get it. */
async function followed() {
  const directory = temporaryFolder();
  await add(directory, 1);
  const handed: HandedSnapshot[] = [];
  const problems: unknown[] = [];
  const { registry, opened } = startOpening(directory, {
    // Every index is large to it: names come after the snapshot.
    readHereBytes: 0,
    pollMs: 5,
    onHanded: (snapshot) => handed.push(structuredClone(snapshot)),
    onProblem: (problem) => problems.push(problem),
  });
  onTestFinished(() => registry.close());
  await opened;
  await registry.current?.namesSoon;
  const other = new HandedRegistry(directory);
  onTestFinished(() => other.close());
  const [first, second] = handed;
  if (first === undefined || second === undefined) throw new Error("names did not come later");
  return { directory, registry, handed, problems, other, first, second };
}

describe("a registry that is handed its snapshots", () => {
  it("looks companies up at once, and finds names when they are handed too", async () => {
    const { other, first, second } = await followed();
    expect(other.current).toBeUndefined();
    other.take(first);
    const served = other.current;
    expect(served?.basic(companyFacts(1).kvkNumber)?.name).toBe("Voorbeeld 1 B.V.");
    expect(served?.isFindable).toBe(false);
    const soon = served?.namesSoon;
    expect(soon).toBeDefined();
    other.take(second);
    await soon;
    expect(other.current).toBe(served);
    expect(other.current?.autocomplete("voorbeeld", 8)).toHaveLength(1);
  });

  it("ends the wait for names of a snapshot that was replaced before they came", async () => {
    const { directory, handed, other, first } = await followed();
    other.take(first);
    const before = other.current;
    const soon = before?.namesSoon;
    await add(directory, 2);
    await until("it is followed", () => handed.at(-1)?.info.companies === 2);
    const last = handed.at(-1);
    if (last !== undefined) other.take(last);
    await soon;
    expect(other.current?.info.companies).toBe(2);
    expect(before?.basic(companyFacts(1).kvkNumber)?.name).toBe("Voorbeeld 1 B.V.");
  });

  it("serves on what it served when a file of the next one is gone", async () => {
    const { other, second } = await followed();
    other.take(second);
    const missing = { ...second, info: { ...second.info, number: 7, file: "snapshot-7.sqlite" } };
    expect(() => other.take(missing)).toThrow(DamagedSnapshot);
    expect(other.current?.info).toEqual(second.info);
  });

  it("opens no other file that has the name, size and count of the one it was handed, and serves it once that is told again", async () => {
    const { directory, registry, handed, other, second } = await followed();
    const { file } = second.info;
    const path = join(directory, file);
    const elsewhere = temporaryFolder();
    await add(elsewhere, 2);
    const taken = `${path}.taken`;
    renameSync(path, taken);
    copyFileSync(join(elsewhere, file), path);
    // But for what it holds it is the one that was handed.
    expect(statSync(path).size).toBe(second.info.bytes);
    expect(() => other.take(second)).toThrow(ReplacedFile);
    expect(other.current).toBeUndefined();

    // A copy of the right one: another file, whose content is verified before it is handed.
    rmSync(path);
    copyFileSync(taken, path);
    registry.handAgain();
    await until("it is handed again", () => handed.length > 2);
    const last = handed.at(-1) ?? second;
    expect(last.info).toEqual(second.info);
    other.take(last);
    expect(other.current?.basic(companyFacts(1).kvkNumber)?.name).toBe("Voorbeeld 1 B.V.");
    expect(other.current?.autocomplete("voorbeeld", 8)).toHaveLength(1);
  });

  it("is handed nothing again while the files are damaged, which is told", async () => {
    const { directory, registry, handed, problems, second } = await followed();
    const path = join(directory, second.info.file);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    rmSync(path);
    writeFileSync(path, bytes);
    registry.handAgain();
    await until("it is told", () => problems.length > 0);
    expect(problems[0]).toBeInstanceOf(DamagedSnapshot);
    expect(handed).toHaveLength(2);
    expect(registry.current?.basic(companyFacts(1).kvkNumber)?.name).toBe("Voorbeeld 1 B.V.");
  });

  it("has nothing once it is closed, and nobody waits for names any more", async () => {
    const { other, first } = await followed();
    other.take(first);
    const soon = other.current?.namesSoon;
    other.close();
    await soon;
    expect(other.current).toBeUndefined();
  });
});
