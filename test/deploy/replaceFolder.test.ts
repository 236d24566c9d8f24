import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { replaceFolder } from "../../build/replaceFolder.ts";
import { temporaryFolder } from "../kit/world.ts";

const fillWith =
  (text: string, meanwhile: () => void = () => {}) =>
  async (draft: string): Promise<void> => {
    mkdirSync(draft);
    writeFileSync(join(draft, "first.js"), text);
    meanwhile();
    writeFileSync(join(draft, "last.js"), text);
  };
const contentOf = (folder: string) =>
  readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));

it("a successful build replaces the folder atomically", async () => {
  const parent = temporaryFolder();
  const dist = join(parent, "dist");
  await replaceFolder(dist, fillWith("old"));
  await replaceFolder(
    dist,
    fillWith("new", () => expect(contentOf(dist)).toEqual(["old", "old"])),
  );
  expect(contentOf(dist)).toEqual(["new", "new"]);
  expect(readdirSync(parent)).toEqual(["dist"]);
});

it("a failed build keeps the previous one, and leaves no temporary files", async () => {
  const parent = temporaryFolder();
  const dist = join(parent, "dist");
  await replaceFolder(dist, fillWith("old"));
  const failing = fillWith("new", () => {
    throw new Error("no room");
  });
  await expect(replaceFolder(dist, failing)).rejects.toThrow("no room");
  expect(contentOf(dist)).toEqual(["old", "old"]);
  expect(readdirSync(parent)).toEqual(["dist"]);
});
