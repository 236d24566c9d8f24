/** `opzoek restore` of a folder or a file takes what is meant, or nothing: whose it is, whether it is a state at all, and the key and registry beside it. */
import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { takeLock } from "../../src/snapshot/lock.ts";
import { registryDirectory } from "../../src/snapshot/places.ts";
import { backupState } from "../../src/storage/backup/backupState.ts";
import { lastBackup } from "../../src/storage/backup/lastBackup.ts";
import { statePath } from "../../src/storage/sqlite/statePath.ts";
import { itWith, root } from "../kit/needs.ts";
import { opzoek } from "../kit/opzoek.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";

const NOBODY = 65_534;
const DAY_MS = 86_400_000;
const KEYS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map((key) => key.toString("base64"));
const [FIRST_KEY = "", SECOND_KEY = ""] = KEYS;

const newFolder = () => join(temporaryFolder(), "backups");
const keyOf = ({ dataDir }: World) => join(dataDir, "two-factor.key");

async function worldWithAccount(key = FIRST_KEY): Promise<World & { readonly accountId: string }> {
  const world = await makeWorld({ companies: [] });
  const { id: accountId } = await world.account("plenty");
  writeFileSync(keyOf(world), key, { mode: 0o600 });
  return { ...world, accountId };
}

async function backUp({ environment }: World, folder: string, ...options: string[]): Promise<string> {
  const { code, out, err } = await opzoek(["backup", folder, "--json", ...options], environment);
  expect(code, err).toBe(0);
  return (JSON.parse(out) as { path: string }).path;
}

const restore = ({ environment }: World, ...words: string[]) => opzoek(["restore", ...words], environment);
const accounts = async ({ environment }: World) => (await opzoek(["account", "list"], environment)).out;

it("of a folder that several DATA_DIRs share takes the own one, and asks where it cannot tell", async () => {
  const folder = newFolder();
  const [one, other] = [await worldWithAccount(FIRST_KEY), await worldWithAccount(SECOND_KEY)];
  const first = await backUp(one, folder);
  // On a new machine there is one alone that can be meant.
  const moved = await makeWorld({ companies: [] });
  expect((await restore(moved, folder)).code).toBe(0);
  expect(await accounts(moved)).toContain(one.accountId);
  const newest = await backUp(other, folder);
  const { code, out, err } = await restore(one, folder, "--replace");
  expect([code, out.trim()]).toEqual([0, first]);
  expect(err).not.toContain("passed over");
  expect(await accounts(one)).toContain(one.accountId);
  expect(readFileSync(keyOf(one), "utf8")).toBe(FIRST_KEY);

  const empty = await makeWorld({ companies: [] });
  const refused = await restore(empty, folder);
  expect([refused.code, existsSync(statePath(empty.dataDir))]).toEqual([1, false]);
  expect(refused.err).toMatch(
    /backups of 2 DATA_DIRs, none of them this one.*the newest of each is state-.*, state-/,
  );
  const named = await restore(one, newest, "--replace");
  expect([named.code, named.err]).toEqual([0, expect.stringContaining("is a backup of another DATA_DIR")]);
  expect(await accounts(one)).toContain(other.accountId);
});

it("of a folder passes over what is cut short, and what a wrong clock made of a moment to come", async () => {
  const folder = newFolder();
  const world = await worldWithAccount();
  const good = await backUp(world, folder);
  const cut = await backUp(world, folder);
  truncateSync(cut, 4_096);
  const { dataDir } = world;
  const ahead = {
    dataDir,
    folder,
    version: "1",
    keyFile: keyOf(world),
    now: () => Date.now() + 365 * DAY_MS,
  };
  const wrong = await backupState(ahead);
  const { code, out, err } = await restore(world, folder, "--replace");
  expect([code, out.trim()]).toEqual([0, good]);
  expect(err).toMatch(
    /passed over: .*which is of a moment to come[\s\S]*passed over: .*not as long as it was/,
  );
  // Nor does it keep the next one from being kept, or stand for it.
  const next = await backUp(world, folder, "--keep", "1");
  expect([existsSync(next), existsSync(wrong.path)]).toEqual([true, true]);
  expect(lastBackup(dataDir)?.path).toBe(next);
  rmSync(next);
  rmSync(good, { force: true });
  expect((await restore(world, folder, "--replace")).err).toMatch(/no sound backup .*\(passed over: /);
});

it.each<[string, (path: string) => void]>([
  ["empty", (path) => writeFileSync(path, "")],
  [
    "another program's",
    (path) => {
      const database = new DatabaseSync(path);
      database.exec("create table notes (text)");
      database.close();
    },
  ],
])("a file that is %s is no state: nothing is restored, backed up or deleted for it", async (_, make) => {
  const folder = newFolder();
  const world = await worldWithAccount();
  const good = await backUp(world, folder);
  const none = join(temporaryFolder(), "none.sqlite");
  make(none);
  const refused = await restore(world, none, "--replace");
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(`${none} holds no state of opzoek`),
  ]);
  expect(await accounts(world)).toContain(world.accountId);
  for (const end of ["", "-wal", "-shm"]) rmSync(`${statePath(world.dataDir)}${end}`, { force: true });
  make(statePath(world.dataDir));
  const { code, err } = await opzoek(["backup", folder, "--keep", "1"], world.environment);
  expect([code, err]).toEqual([1, expect.stringContaining("holds no state of opzoek")]);
  expect(existsSync(good)).toBe(true);
  const checked = await opzoek(["state", "check"], world.environment);
  expect([checked.code, checked.err]).toEqual([1, expect.stringContaining("holds no state of opzoek")]);
});

it("a state without an account takes no other's place among the backups", async () => {
  const folder = newFolder();
  const world = await worldWithAccount();
  const good = await backUp(world, folder);
  const empty = await makeWorld({ companies: [] });
  expect((await opzoek(["account", "list"], empty.environment)).code).toBe(0);
  for (const end of ["-wal", "-shm"]) rmSync(`${statePath(world.dataDir)}${end}`, { force: true });
  renameSync(statePath(empty.dataDir), statePath(world.dataDir));
  await backUp(world, folder, "--keep", "1");
  expect(existsSync(good)).toBe(true);
});

it("that is refused leaves the state and its key as they were", async () => {
  const folder = newFolder();
  const world = await worldWithAccount(FIRST_KEY);
  const made = await backUp(world, folder);
  writeFileSync(keyOf(world), SECOND_KEY);
  const open = new DatabaseSync(statePath(world.dataDir));
  open.prepare("select count(*) from accounts").get();
  const refused = await restore(world, made, "--replace");
  open.close();
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is in use")]);
  expect(readFileSync(keyOf(world), "utf8")).toBe(SECOND_KEY);
  expect(readdirSync(world.dataDir).filter((name) => /replaced|restoring/.test(name))).toEqual([]);
  const { code, err } = await restore(world, made, "--replace");
  expect(code).toBe(0);
  expect(err.match(/^put aside: /gm)).toHaveLength(2);
  expect(readFileSync(keyOf(world), "utf8")).toBe(FIRST_KEY);
});

it.each<[string, (registry: string) => void, RegExp]>([
  [
    "gone",
    (registry) => rmSync(registry, { recursive: true }),
    /no registry beside it: leave out --registry/,
  ],
  ["without its pointer", (registry) => rmSync(join(registry, "current.json")), /holds no registry/],
  ["with half a pointer", (registry) => writeFileSync(join(registry, "current.json"), "{"), /holds no JSON/],
  ["without a file", (registry) => rmSync(join(registry, "snapshot-1.sqlite")), /cannot be brought in/],
  [
    "with a file cut short",
    (registry) => {
      // The file of a hard link is the served registry's too.
      const path = join(registry, "snapshot-1.sqlite");
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
      truncateSync(path, 8_192);
    },
    /snapshot-1\.sqlite/,
  ],
])("with a registry that is %s is refused, and the state stays", async (_, spoil, reason) => {
  const folder = newFolder();
  const world = await makeWorld();
  await world.account("plenty");
  const made = await backUp(world, folder, "--registry");
  spoil(made.replace(".sqlite", ".registry"));
  const other = await worldWithAccount();
  const { code, err } = await restore(other, made, "--registry", "--replace");
  expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(await accounts(other)).toContain(other.accountId);
  expect(existsSync(join(registryDirectory(other.dataDir), "current.json"))).toBe(false);
});

it("a registry that cannot be copied, as while an import works, costs no backup of the state", async () => {
  const folder = newFolder();
  const world = await makeWorld();
  await world.account("plenty");
  const lock = takeLock(registryDirectory(world.dataDir));
  const { code, out, err } = await opzoek(["backup", folder, "--registry"], world.environment);
  lock.release();
  expect(code).toBe(1);
  expect(err).toMatch(/the backup is made, but without the registry \(Another import.*leave out --registry/);
  expect(lastBackup(world.dataDir)?.path).toBe(out.trim());
  expect((await restore(await makeWorld({ companies: [] }), out.trim())).code).toBe(0);
});

itWith(root, "by root leaves nothing of root's in the DATA_DIR of another", async () => {
  const folder = newFolder();
  const world = await makeWorld();
  await world.account("plenty");
  const made = await backUp(world, folder, "--registry");
  const other = await makeWorld({ companies: [] });
  mkdirSync(other.dataDir, { recursive: true });
  chownSync(other.dataDir, NOBODY, NOBODY);
  expect((await restore(other, made, "--registry")).code).toBe(0);
  await backUp(other, newFolder());
  const names = readdirSync(other.dataDir, { recursive: true, encoding: "utf8" });
  expect(names).toEqual(
    expect.arrayContaining(["serving-lock.sqlite", "backup-lock.sqlite", "backup.json", "tmp"]),
  );
  const ofOthers = names.filter((name) => lstatSync(join(other.dataDir, name)).uid !== NOBODY);
  expect(ofOthers).toEqual([]);
});
