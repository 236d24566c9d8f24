import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { add, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { readPointer } from "./directory.ts";
import { DamagedSnapshot } from "./errors.ts";
import { saveVerifiedNote, verifyAnew, verifyOnce } from "./verified.ts";

async function imported() {
  const directory = temporaryFolder();
  await add(directory, sourcedFacts(1));
  const info = readPointer(directory)?.current;
  if (info === undefined) throw new Error("nothing was imported");
  const path = join(directory, info.file);
  const flip = () => {
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
  const isNoted = () => existsSync(path.replace(".sqlite", ".verified"));
  return { directory, info, path, flip, isNoted };
}

describe("verifyOnce", () => {
  it("trusts the note of the installation and reads nothing", async () => {
    const { directory, info, flip, isNoted } = await imported();
    expect(isNoted()).toBe(true);
    flip();
    // Simulates damage below the file system.
    saveVerifiedNote(directory, info);
    await expect(verifyOnce(directory, info)).resolves.toBeUndefined();
  });

  it("trusts the note after a hard link or a change of the mode", async () => {
    const { directory, info, path, flip } = await imported();
    flip();
    saveVerifiedNote(directory, info);
    linkSync(path, `${path}.backup`);
    chmodSync(path, 0o640);
    await expect(verifyOnce(directory, info)).resolves.toBeUndefined();
  });

  it("reads a file that was modified", async () => {
    const { directory, info, flip, isNoted } = await imported();
    flip();
    await expect(verifyOnce(directory, info)).rejects.toThrow(DamagedSnapshot);
    expect(isNoted()).toBe(false);
  });

  it("reads a copy or a file without a note, and notes the result", async () => {
    const { directory, info, path, isNoted } = await imported();
    const note = path.replace(".sqlite", ".verified");
    const before = readFileSync(note, "utf8");
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
    await verifyOnce(directory, info);
    expect(readFileSync(note, "utf8")).not.toBe(before);
    rmSync(note);
    await verifyOnce(directory, info);
    expect(isNoted()).toBe(true);
  });

  it("does not trust a note without its file", async () => {
    const { directory, info, path } = await imported();
    rmSync(path);
    await expect(verifyOnce(directory, info)).rejects.toThrow(DamagedSnapshot);
  });
});

describe("verifyAnew", () => {
  it("detects damage below the file system, also for later starts", async () => {
    const { directory, info, flip } = await imported();
    flip();
    saveVerifiedNote(directory, info);
    await expect(verifyAnew(directory, info)).rejects.toThrow("SHA-256 differs");
    await expect(verifyOnce(directory, info)).rejects.toThrow(DamagedSnapshot);
  });

  it("reports its progress", async () => {
    const { directory, info } = await imported();
    const readBytes: number[] = [];
    await verifyAnew(directory, info, (bytes) => readBytes.push(bytes));
    expect(readBytes.at(-1)).toBe(info.bytes);
  });
});

it("deletes a note with its snapshot", async () => {
  const { directory } = await imported();
  for (const number of [2, 3, 4]) await add(directory, sourcedFacts(number));
  const notes = readdirSync(directory).filter((name) => name.endsWith(".verified"));
  expect(notes.sort()).toEqual(["snapshot-3.verified", "snapshot-4.verified"]);
});
