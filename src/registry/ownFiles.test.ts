import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { following, makeTestKeys, publish } from "../../test/kit/published.ts";
import { add, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { importFacts } from "./importFacts.ts";
import { makeKeys } from "./published/keys.ts";
import { PublishedRegistry } from "./published/publishedRegistry.ts";
import { rollback } from "./rollback.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Lists files and folders that others than the owner can access, with their modes. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => modeOf(path) !== (statSync(path).isDirectory() ? 0o700 : 0o600));
}

it("restricts all files of a registry to their owner during imports, rollbacks and fetches", async () => {
  const folder = temporaryFolder();
  const [publisher, node, target] = ["a/registry", "b/registry", "published"].map((name) =>
    join(folder, name),
  );
  if (publisher === undefined || node === undefined || target === undefined)
    throw new RangeError("no folders");
  const whileBuilding: string[] = [];
  const watch = () => whileBuilding.push(...openToOthers(join(folder, "a")));
  await importFacts(publisher, [sourcedFacts(1)], { replace: false, onProgress: watch });
  // Leftovers with wider modes do not affect new files.
  writeFileSync(join(publisher, "current.json.new"), "", { mode: 0o644 });
  await add(publisher, sourcedFacts(2));
  await rollback(publisher);
  const keys = makeTestKeys();
  await publish(publisher, target, keys);
  await new PublishedRegistry(following(node, target, keys)).round(new AbortController().signal);
  makeKeys(join(folder, "keys", "registry.key"));
  expect(whileBuilding).toEqual([]);
  expect(["a", "b", "keys"].flatMap((name) => openToOthers(join(folder, name)))).toEqual([]);
  expect(["a", "b", "keys"].map((name) => modeOf(join(folder, name)))).toEqual([0o700, 0o700, 0o700]);
});

it("publishes with the mode of the umask, so that a web server can read the files", async () => {
  const folder = temporaryFolder();
  const byUmask = join(folder, "file");
  writeFileSync(byUmask, "");
  mkdirSync(join(folder, "folder"));
  const [publisher, target] = [join(folder, "registry"), join(folder, "published")];
  await add(publisher, sourcedFacts(1));
  const keys = makeTestKeys();
  await publish(publisher, target, keys);
  await publish(publisher, target, keys);
  expect(modeOf(target)).toBe(modeOf(join(folder, "folder")));
  for (const name of readdirSync(target)) expect(modeOf(join(target, name)), name).toBe(modeOf(byUmask));
});

it("keeps the mode of an existing folder", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o750);
  await add(folder, sourcedFacts(1));
  expect(modeOf(folder)).toBe(0o750);
});
