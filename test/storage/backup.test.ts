/**
 * `opzoek backup` and `opzoek restore` as an operator runs them: their files, their refusals, and what they preserve.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { readBackupRecord } from "../../src/database/backup/lastBackup.ts";
import { lockDataDir } from "../../src/database/sqlite/dataDirLock.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { itWith, plainRoot, root, WITHOUT_OVERRIDE } from "../kit/needs.ts";
import { MAIN, opzoek } from "../kit/opzoek.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { changeStored } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld, temporaryFolder, type World } from "../kit/world.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const NOBODY = 65_534;
const TRUNCATED = /\.sqlite is truncated: it has [\d,]+ bytes: nothing was restored; use another backup/;
const DAMAGED = /\.sqlite is damaged \(.+\): nothing was restored; use another backup/;
const [KEY = "", OTHER_KEY = ""] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString("base64"));

interface Made {
  readonly path: string;
  readonly at: string;
  readonly keyPath?: string;
}

let world: World;
let folder: string;
beforeAll(async () => {
  world = await makeWorld();
  await world.account("plenty");
  writeFileSync(keyOf(world), KEY, { mode: 0o600 });
  folder = join(temporaryFolder(), "backups");
});

const keyOf = ({ dataDir }: World) => join(dataDir, "two-factor.key");
const run = (...words: string[]) => opzoek(words, world.environment);
const elsewhere = () => makeWorld({ companies: [] });

async function backedUp({ environment } = world): Promise<Made> {
  const { code, out, err } = await opzoek(["backup", folder, "--json"], environment);
  expect(code, err).toBe(0);
  return JSON.parse(out) as Made;
}

describe("a backup", () => {
  it("is a checked file with the key, for its owner only in a folder for the owner only, and recorded in DATA_DIR", async () => {
    const made = await backedUp();
    expect(made.path).toMatch(/\/state-[0-9]{8}T[0-9]{6}\.[0-9]{3}Z\.sqlite$/);
    expect([modeOf(folder), modeOf(made.path)]).toEqual([0o700, 0o600]);
    const { keyPath = "" } = made;
    expect([modeOf(keyPath), readFileSync(keyPath, "utf8")]).toEqual([0o600, KEY]);
    expect(readBackupRecord(world.dataDir)).toEqual({
      good: { atMs: Date.parse(made.at), path: made.path, bytes: statSync(made.path).size },
    });
    expect(
      readdirSync(folder)
        .map((name) => join(folder, name))
        .sort(),
    ).toEqual([made.path, keyPath].sort());
  });

  it.each<[string, () => string, RegExp]>([
    ["a missing folder", () => join(folder, "gone", "deep"), /gone does not exist.*mounted/],
    ["a file instead of the folder", () => statePath(world.dataDir), /no backup was made in/],
  ])("is refused for %s, and leaves nothing", async (_, where, reason) => {
    const { good } = readBackupRecord(world.dataDir) ?? {};
    const { code, out, err } = await run("backup", where());
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(reason);
    expect(err.trim().split("\n").length).toBe(1);
    expect(readBackupRecord(world.dataDir)).toMatchObject({
      good,
      failed: { reason: expect.stringMatching(/does not exist|ENOTDIR/) },
    });
  });

  it("is refused for a database, with the alternative", async () => {
    const DATABASE_URL = "postgres://db.example/o";
    const onPostgres = await opzoek(["backup", folder], { ...world.environment, DATABASE_URL });
    expect([onPostgres.code, onPostgres.out]).toEqual([1, ""]);
    expect(onPostgres.err).toMatch(/nothing was done.*pg_dump, pg_basebackup.*docs\/backup-and-upgrade\.md/);
  });

  describe("of a state that is larger than SQLite's memory", () => {
    let large: World;
    beforeAll(async () => {
      large = await makeWorld({ companies: [] });
      await large.account("plenty");
      await changeStored(large, "create table filler as select randomblob(8000000) as bytes");
    });

    it.each(variants([0.5, 0.999, 0, 0.01, 0.2, 0.9], { ordinary: 2 }))(
      "leaves no file with disk space for %s of it, and the previous one still counts",
      async (share) => {
        const before = await backedUp(large);
        const had = readdirSync(folder);
        const blocks = Math.floor((statSync(before.path).size / 1_024) * share);
        const { status, stderr } = spawnSync(
          "sh",
          ["-c", `ulimit -f ${blocks} && exec "$0" "$@"`, process.execPath, MAIN, "backup", folder],
          { env: large.environment, encoding: "utf8" },
        );
        expect([status, stderr]).toEqual([
          1,
          expect.stringMatching(/^opzoek: no backup was made in [^\n]+free space\n$/),
        ]);
        expect(readdirSync(folder)).toEqual(had);
        expect(readBackupRecord(large.dataDir)?.good?.path).toBe(before.path);
      },
    );
  });
});

describe("a restore", () => {
  it("restores a backup with its key, for its owner only", async () => {
    const made = await backedUp();
    chmodSync(made.path, 0o644);
    const other = await elsewhere();
    const { code, out, err } = await opzoek(["restore", made.path, "--json"], other.environment);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ from: made.path, at: made.at, aside: [], hasKey: true });
    expect(modeOf(statePath(other.dataDir))).toBe(0o600);
    expect(readFileSync(keyOf(other), "utf8")).toBe(KEY);
    await expectSoundState(other);
    expect((await opzoek(["account", "list", "--json"], other.environment)).out).toBe(
      (await run("account", "list", "--json")).out,
    );
  });

  itWith(root, "and a backup by root leave no files of root in another user's DATA_DIR", async () => {
    const made = await backedUp();
    const other = await elsewhere();
    mkdirSync(other.dataDir, { recursive: true });
    chownSync(other.dataDir, NOBODY, NOBODY);
    const { code, err } = await opzoek(["restore", made.path], other.environment);
    expect(code, err).toBe(0);
    const next = join(temporaryFolder(), "backups");
    expect((await opzoek(["backup", next], other.environment)).code).toBe(0);
    const names = readdirSync(other.dataDir, { recursive: true, encoding: "utf8" });
    expect(names).toEqual(expect.arrayContaining(["state.sqlite", "two-factor.key", "backup.json", "tmp"]));
    expect(names.filter((name) => lstatSync(join(other.dataDir, name)).uid !== NOBODY)).toEqual([]);
  });

  it("is refused if a state exists, and with --replace moves it and its key aside", async () => {
    const made = await backedUp();
    const other = await elsewhere();
    const { id } = await other.account("plenty");
    writeFileSync(keyOf(other), OTHER_KEY, { mode: 0o600 });
    const refused = await opzoek(["restore", made.path], other.environment);
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/already exists.*--replace/)]);
    const { code, out, err } = await opzoek(["restore", made.path, "--replace", "--json"], other.environment);
    expect(code, err).toBe(0);
    const [key = "", state = ""] = (JSON.parse(out) as { aside: readonly string[] }).aside;
    expect([readFileSync(key, "utf8"), readFileSync(keyOf(other), "utf8")]).toEqual([OTHER_KEY, KEY]);
    const database = new DatabaseSync(state, { readOnly: true });
    expect(database.prepare("select id from accounts").all()).toMatchObject([{ id }]);
    database.close();
    expect((await opzoek(["account", "list"], other.environment)).out).not.toContain(id);
  });

  it("is refused while a service, or any command, uses the state", async () => {
    const made = await backedUp();
    const other = await elsewhere();
    await other.account("plenty");
    const serving = lockDataDir(other.dataDir, "serve");
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
    ...[0, 9, 50, 512, 8_192].map((bytes): [string, (path: string) => void, RegExp] => [
      `truncated to ${bytes} bytes`,
      (path) => truncateSync(path, bytes),
      TRUNCATED,
    ]),
    ["without its last byte", (path) => truncateSync(path, statSync(path).size - 1), TRUNCATED],
    ["without its last page", (path) => truncateSync(path, statSync(path).size - 4_096), TRUNCATED],
    ["overwritten", (path) => writeFileSync(path, Buffer.alloc(20_000, 1), { flag: "r+" }), DAMAGED],
    ["not a database", (path) => writeFileSync(path, "a text of another program ".repeat(9)), DAMAGED],
    [
      "next to a truncated key",
      (path) => writeFileSync(path.replace(/sqlite$/, "two-factor.key"), KEY.slice(0, 20)),
      /two-factor\.key is truncated: nothing was restored; use another backup/,
    ],
    [
      "from another program",
      (path) => {
        rmSync(path);
        const database = new DatabaseSync(path);
        database.exec("create table notes (text)");
        database.close();
      },
      /is not an Opzoek state/,
    ],
    [
      "a copy of open files",
      (path) => writeFileSync(`${path}-wal`, "log"),
      /a copy of files in use, not a backup/,
    ],
    ["gone", (path) => rmSync(path), /does not exist or is not a file/],
    [
      "a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      /not a file/,
    ],
  ])("of a file that is %s is refused, and the state is unchanged", async (_, spoil, reason) => {
    const made = await backedUp();
    const copy = join(temporaryFolder(), "state-20260505T120000.000Z.sqlite");
    copyFileSync(made.path, copy);
    spoil(copy);
    const other = await elsewhere();
    const { id } = await other.account("plenty");
    const { code, err } = await opzoek(["restore", copy, "--replace"], other.environment);
    expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
    expect(err).not.toContain("state file");
    expect((await opzoek(["account", "list"], other.environment)).out).toContain(id);
    expect(existsSync(keyOf(other))).toBe(false);
    expect(readdirSync(other.dataDir).filter((name) => /restoring|replaced/.test(name))).toEqual([]);
  });
});

describe("a user without read or write permission", () => {
  const [setpriv, ...flags] = WITHOUT_OVERRIDE;
  const asPlainRoot = (words: readonly string[], DATA_DIR: string) =>
    spawnSync(setpriv, [...flags, process.execPath, MAIN, ...words], {
      cwd: "/",
      encoding: "utf8",
      env: { ...world.environment, TIERS_FILE: "", DATA_DIR },
    });
  /** A folder of another user that everyone may enter and only that user may write. */
  const open = () => {
    const path = join(temporaryFolder(), "open");
    mkdirSync(path, { mode: 0o755 });
    chownSync(path, NOBODY, NOBODY);
    return path;
  };
  /** A folder that only that user may enter, with a state file. */
  const shut = (state?: string) => {
    const path = join(temporaryFolder(), "shut");
    mkdirSync(path, { mode: 0o700 });
    if (state !== undefined) copyFileSync(state, join(path, "state.sqlite"));
    chownSync(path, NOBODY, NOBODY);
    return path;
  };
  const own = () => temporaryFolder();
  const DENIED = /(?:cannot be read by user root|EACCES)/;

  itWith(plainRoot, "gets an error with the remedy from backup, restore and doctor", async () => {
    const { path } = await backedUp();
    const inShut = join(shut(path), "state.sqlite");
    const shutData = shut(path);
    const ownData = own();
    copyFileSync(path, join(ownData, "state.sqlite"));
    const commands: readonly (readonly [words: readonly string[], dataDir: string])[] = [
      [["backup", own()], shutData],
      [["backup", join(shut(), "backups")], ownData],
      [["backup", join(open(), "backups")], ownData],
      [["restore", inShut], own()],
      [["restore", inShut], shut()],
    ];
    for (const [words, dataDir] of commands) {
      const { status, stderr } = asPlainRoot(words, dataDir);
      expect([words, status, stderr]).toEqual([words, 1, expect.stringMatching(DENIED)]);
      expect(stderr).toMatch(/run this as the user of the service|this user may|writable for this user/);
      expect(stderr).not.toMatch(/^ +at |its disk is mounted|there is no state/m);
    }
    const { stdout } = asPlainRoot(["doctor"], shutData);
    expect(stdout).toMatch(/^PROBLEM {2}rights .*cannot be read/m);
    expect(stdout).toMatch(/^PROBLEM {2}state .*cannot be read by user root/m);
    expect(stdout).not.toContain("there is no state yet");
  });
});
