/** A backup or restore killed at any moment leaves no incomplete file that looks complete. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { openSqliteState } from "../../src/app/state/sqliteState.ts";
import { backupState, type CompletedBackup } from "../../src/database/backup/backupState.ts";
import { checkState } from "../../src/database/consistency/checkState.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { bundled } from "../kit/bundled.ts";
import { call, newKey, TIERS } from "../kit/stores/fixture.ts";
import { amount } from "../kit/thorough.ts";
import { temporaryFolder } from "../kit/world.ts";

const AT_ONCE = 2;
/** The moments of each, spread over all calls of the file system. */
const MOMENTS = amount({ ordinary: 2, thorough: 12 });
const CALLS = [
  ...[
    "openSync",
    "writeFileSync",
    "copyFileSync",
    "fsyncSync",
    "renameSync",
    "rmSync",
    "mkdirSync",
    "linkSync",
  ],
];

let program: string;
let dataDir: string;
let previousBackup: string;
let made: CompletedBackup;

const optionsOf = (from: string, folder: string) => ({
  dataDir: from,
  folder,
  keyFile: join(from, "two-factor.key"),
});

beforeAll(async () => {
  program = await bundled(join(import.meta.dirname, "backingUp.ts"));
  dataDir = temporaryFolder();
  const createdAt = new Date().toISOString();
  const state = await openSqliteState({ path: statePath(dataDir), tiers: TIERS });
  await state.accounts.add({
    id: "acc",
    email: "a@fabel.example",
    tierName: "wide",
    isSuspended: false,
    createdAt,
  });
  await state.accounts.addKey(newKey("key", "acc", createdAt), 20);
  await state.metering.apply([call("key", 3)]);
  await state.close();
  previousBackup = temporaryFolder();
  made = await backupState(optionsOf(dataDir, previousBackup));
});

/**
 * A process that runs this, and kills itself before one of its file system calls; without a moment it prints their
 * number.
 */
async function run(work: string, moment: number): Promise<string> {
  const script = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    let calls = 0;
    const step = () => { if (++calls === ${moment}) process.kill(process.pid, "SIGKILL"); };
    for (const name of ${JSON.stringify(CALLS)}) {
      const real = fs[name];
      fs[name] = (...given) => { step(); return real(...given); };
    }
    syncBuiltinESMExports();
    const { backupState, restoreState } = await import(${JSON.stringify(program)});
    await ${work};
    console.log(calls);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect([code, signal]).toEqual(printed === "" ? [null, "SIGKILL"] : [0, null]);
  return printed.trim();
}

/** Runs it once to count its moments, then kills it at some of them, a few processes at a time. */
async function atMoments(
  workIn: (folder: string) => string,
  holds: (folder: string) => Promise<void>,
): Promise<void> {
  const newFolder = () => {
    const folder = join(temporaryFolder(), "data");
    cpSync(dataDir, folder, { recursive: true });
    mkdirSync(join(folder, "backups"), { recursive: true });
    return folder;
  };
  const all = Number(await run(workIn(newFolder()), 0));
  expect(all).toBeGreaterThan(MOMENTS);
  const moments = Array.from({ length: MOMENTS }, (_, index) => 1 + Math.floor((index * all) / MOMENTS));
  const killed = moments.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const moment of killed) {
        const folder = newFolder();
        expect(await run(workIn(folder), moment), `moment ${moment}`).toBe("");
        await holds(folder);
      }
    }),
  );
}

it("a killed backup: a file with its final name is complete", async () => {
  await atMoments(
    (folder) => `backupState(${JSON.stringify(optionsOf(folder, join(folder, "backups")))})`,
    async (folder) => {
      const backups = join(folder, "backups");
      for (const name of readdirSync(backups).filter((one) => one.endsWith(".sqlite"))) {
        expect(await checkState({ path: join(backups, name) })).toMatchObject({ findings: [], accounts: 1 });
      }
      const next = await backupState(optionsOf(folder, backups));
      expect(next.report).toMatchObject({ findings: [], accounts: 1 });
    },
  );
});

it("a killed restore: the state is the old one or the new one, in its place", async () => {
  await atMoments(
    (folder) =>
      `restoreState(${JSON.stringify({ from: made.path, dataDir: folder, keyFile: join(folder, "two-factor.key"), replaces: true })})`,
    async (folder) => {
      expect(existsSync(statePath(folder))).toBe(true);
      const { findings, accounts } = await checkState({ path: statePath(folder) });
      expect([findings, accounts]).toEqual([[], 1]);
    },
  );
});
