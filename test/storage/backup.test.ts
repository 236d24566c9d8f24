/** `opzoek backup` and `opzoek restore` as an operator calls them: what they make, what they refuse, what they leave alone. */

import { spawnSync } from "node:child_process";
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { takeFileLock } from "../../src/lib/fileLock.ts";
import { lastBackup, readNote } from "../../src/storage/backup/lastBackup.ts";
import { takeDataDir } from "../../src/storage/sqlite/dataDirLock.ts";
import { statePath } from "../../src/storage/sqlite/statePath.ts";
import { itWith, root } from "../kit/needs.ts";
import { MAIN, opzoek } from "../kit/opzoek.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const NOBODY = 65_534;
const KEY = Buffer.alloc(32, 7).toString("base64");

interface Made {
  readonly path: string;
  readonly bytes: number;
  readonly at: string;
  readonly beside: readonly string[];
  readonly deleted: readonly string[];
}

let world: World;
let folder: string;
beforeAll(async () => {
  world = await makeWorld();
  await world.account("plenty");
  writeFileSync(join(world.dataDir, "two-factor.key"), KEY, { mode: 0o600 });
  folder = join(temporaryFolder(), "backups");
});

const run = (...words: string[]) => opzoek(words, world.environment);

async function backedUp(...options: string[]): Promise<Made> {
  const { code, out, err } = await run("backup", folder, "--json", ...options);
  expect(code, err).toBe(0);
  return JSON.parse(out) as Made;
}

describe("a backup", () => {
  it("is a file of its owner alone in a folder of the same, checked, with the key, and noted in DATA_DIR", async () => {
    const made = await backedUp();
    expect(made.path).toMatch(/\/state-[0-9]{8}T[0-9]{6}\.[0-9]{3}Z\.sqlite$/);
    expect([modeOf(folder), modeOf(made.path)]).toEqual([0o700, 0o600]);
    expect(made.beside).toEqual([expect.stringMatching(/^state-.*\.two-factor\.key$/)]);
    const key = join(folder, made.beside[0] ?? "");
    expect([modeOf(key), readFileSync(key, "utf8")]).toEqual([0o600, KEY]);
    expect(lastBackup(world.dataDir)).toEqual({
      atMs: Date.parse(made.at),
      path: made.path,
      bytes: statSync(made.path).size,
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("holds the registry when it is asked to, and no key when not", async () => {
    const made = await backedUp("--registry", "--no-key");
    expect(made.beside).toEqual([expect.stringMatching(/^state-.*\.registry$/)]);
    const registry = join(folder, made.beside[0] ?? "");
    expect(readdirSync(registry)).toEqual(expect.arrayContaining(["current.json", "snapshot-1.sqlite"]));
  });

  it("is followed by the deletion of older ones alone", async () => {
    writeFileSync(join(folder, "state-of-mind.sqlite"), "");
    const before = await backedUp();
    const made = await backedUp("--keep", "2");
    expect(made.deleted.length).toBe(2);
    const left = readdirSync(folder).filter((name) => name.endsWith(".sqlite"));
    expect(left.map((name) => join(folder, name)).sort()).toEqual(
      [before.path, made.path, join(folder, "state-of-mind.sqlite")].sort(),
    );
  });

  it.each<[string, () => string, readonly string[], RegExp]>([
    ["a folder that is away", () => join(folder, "gone", "deep"), [], /gone is not there.*mounted/],
    [
      "a file in the place of the folder",
      () => join(folder, "state-of-mind.sqlite"),
      [],
      /no backup was made in/,
    ],
  ])("is refused for %s, and leaves nothing", async (_, where, options, reason) => {
    const { code, out, err } = await run("backup", where(), ...options);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(reason);
    expect(err.trim().split("\n").length).toBe(1);
    expect(readNote(world.dataDir)?.failed?.reason).toMatch(/is not there|ENOTDIR/);
    expect(lastBackup(world.dataDir)).toBeDefined();
  });

  it("is refused while another is made, for wrong use, and where a database is", async () => {
    const held = takeFileLock(join(world.dataDir, "backup-lock.sqlite"));
    const second = await run("backup", folder);
    held?.release();
    expect([second.code, second.err]).toEqual([1, expect.stringContaining("another backup")]);
    expect((await run("backup", folder, "--keep", "0")).code).toBe(2);
    const onPostgres = await opzoek(["backup", folder], {
      ...world.environment,
      DATABASE_URL: "postgres://db.example/o",
    });
    expect([onPostgres.code, onPostgres.out]).toEqual([1, ""]);
    expect(onPostgres.err).toMatch(/pg_basebackup[\s\S]*recovery_target_time[\s\S]*nothing was done/);
  });

  it("is refused where those before are gone, as from a disk that is not mounted, unless it begins anew", async () => {
    const moved = join(dirname(folder), "moved");
    await backedUp();
    const names = readdirSync(folder);
    mkdirSync(moved);
    for (const name of names) {
      if (statSync(join(folder, name)).isFile()) copyFileSync(join(folder, name), join(moved, name));
      rmSync(join(folder, name), { recursive: true });
    }
    const refused = await run("backup", folder);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/is its disk mounted\? Add --anew/),
    ]);
    expect(readdirSync(folder)).toEqual([]);
    await backedUp("--anew");
  });

  it("for which there is no room leaves nothing that looks like one, and the one before counts", async () => {
    const before = lastBackup(world.dataDir);
    const had = readdirSync(folder);
    const blocks = Math.floor(statSync(statePath(world.dataDir)).size / 1_024 / 2);
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", `ulimit -f ${blocks} && exec "$0" "$@"`, process.execPath, MAIN, "backup", folder],
      { env: world.environment, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^opzoek: no backup was made in [^\n]+room\n$/),
    ]);
    expect(readdirSync(folder)).toEqual(had);
    expect(lastBackup(world.dataDir)).toEqual(before);
  });
});

describe("a restore", () => {
  const elsewhere = async () => makeWorld({ companies: [] });

  it("puts the newest sound one of a folder in place, with its key and registry, for its owner alone", async () => {
    const made = await backedUp("--registry");
    const other = await elsewhere();
    const { code, out, err } = await opzoek(["restore", folder, "--registry", "--json"], other.environment);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ from: made.path, at: made.at, aside: [], hasKey: true });
    expect(modeOf(statePath(other.dataDir))).toBe(0o600);
    expect(readFileSync(join(other.dataDir, "two-factor.key"), "utf8")).toBe(KEY);
    await expectSoundState(other);
    expect((await opzoek(["registry", "verify"], other.environment)).code).toBe(0);
    expect((await opzoek(["account", "list", "--json"], other.environment)).out).toBe(
      (await run("account", "list", "--json")).out,
    );
  });

  itWith(root, "by root is for the owner of DATA_DIR", async () => {
    const made = await backedUp();
    const other = await elsewhere();
    mkdirSync(other.dataDir, { recursive: true });
    chownSync(other.dataDir, NOBODY, NOBODY);
    const { code, err } = await opzoek(["restore", made.path], other.environment);
    expect(code, err).toBe(0);
    for (const path of [statePath(other.dataDir), join(other.dataDir, "two-factor.key")]) {
      const { uid, gid } = statSync(path);
      expect([uid, gid, modeOf(path)]).toEqual([NOBODY, NOBODY, 0o600]);
    }
  });

  it("is refused where a state stands, and puts it aside when told to", async () => {
    const made = await backedUp();
    const other = await elsewhere();
    const { id } = await other.account("plenty");
    const refused = await opzoek(["restore", made.path], other.environment);
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/is there already.*--replace/)]);
    const { code, out, err } = await opzoek(["restore", made.path, "--replace", "--json"], other.environment);
    expect(code, err).toBe(0);
    const [aside = ""] = (JSON.parse(out) as { aside: readonly string[] }).aside;
    const database = new DatabaseSync(aside, { readOnly: true });
    expect(database.prepare("select id from accounts").all()).toMatchObject([{ id }]);
    database.close();
    expect((await opzoek(["account", "list"], other.environment)).out).not.toContain(id);
  });

  it("is refused while a service, or any command, has the state", async () => {
    const made = await backedUp();
    const other = await elsewhere();
    await other.account("plenty");
    const serving = takeDataDir(other.dataDir, "serve");
    const served = await opzoek(["restore", made.path, "--replace"], other.environment);
    serving.release();
    expect([served.code, served.err]).toEqual([1, expect.stringContaining(`process ${process.pid}`)]);
    const open = new DatabaseSync(statePath(other.dataDir));
    open.prepare("select count(*) from accounts").get();
    const used = await opzoek(["restore", made.path, "--replace"], other.environment);
    open.close();
    expect([used.code, used.err]).toEqual([1, expect.stringContaining("is in use")]);
    expect((await opzoek(["account", "list"], other.environment)).code).toBe(0);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ["cut short", (path) => truncateSync(path, 8_192), /SHA-256 differs/],
    [
      "cut short, and described by nothing",
      (path) => {
        truncateSync(path, 8_192);
        rmSync(path.replace(".sqlite", ".json"));
      },
      /damaged/,
    ],
    [
      "no state",
      (path) => {
        writeFileSync(path, "text");
        rmSync(path.replace(".sqlite", ".json"));
      },
      /damaged/,
    ],
    [
      "a copy of files in use",
      (path) => writeFileSync(`${path}-wal`, "log"),
      /no backup but a copy of files in use/,
    ],
    ["gone", (path) => rmSync(path), /is not there/],
  ])("of one that is %s is refused, and nothing is put in place", async (_, spoil, reason) => {
    const made = await backedUp();
    const copy = join(temporaryFolder(), "state-20260505T120000.000Z.sqlite");
    copyFileSync(made.path, copy);
    copyFileSync(made.path.replace(".sqlite", ".json"), copy.replace(".sqlite", ".json"));
    spoil(copy);
    const other = await elsewhere();
    const { code, err } = await opzoek(["restore", copy], other.environment);
    expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
    expect(existsSync(statePath(other.dataDir))).toBe(false);
    expect(readdirSync(other.dataDir).filter((name) => name.includes("restoring"))).toEqual([]);
  });
});
