/**
 * The location of SQLite's temporary files, in a separate process: SQLite reads the environment once. From 3.54 on they
 * never have a name, and Linux shows their number.
 */
import { execFile } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { itWith } from "../kit/needs.ts";
import { temporaryFolder } from "../kit/registry.ts";

const run = promisify(execFile);

/** Sorts more than SQLite holds in memory, also on a separate thread, and prints the open temporary files. */
const SORTING = `
  import { readdirSync, readlinkSync } from "node:fs";
  import { DatabaseSync } from "node:sqlite";
  import { isMainThread, parentPort, Worker } from "node:worker_threads";
  import { setTemporaryFolder } from ${JSON.stringify(new URL("../../src/app/process/temporaryFiles.ts", import.meta.url).href)};
  if (isMainThread) setTemporaryFolder(process.argv[2], process.env);
  const database = new DatabaseSync(":memory:");
  const numbers = "with recursive c(x) as (select 1 union all select x + 1 from c where x < 60000)";
  const rows = database.prepare(numbers + " select hex(randomblob(30)) as a from c order by a").iterate();
  rows.next();
  const open = readdirSync("/proc/self/fd").flatMap((fd) => {
    try { return [readlinkSync("/proc/self/fd/" + fd)]; } catch { return []; }
  }).filter((path) => /\\/(?:etilqs_[^/]+|#[0-9]+) /.test(path));
  if (isMainThread) {
    console.log(JSON.stringify(open));
    rows.return();
    new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) }).on("message", (message) => console.log(message));
  } else {
    parentPort.postMessage(JSON.stringify(open));
  }
`;

itWith(
  { isMet: existsSync("/proc/self/fd"), lack: "/proc is absent" },
  "SQLite sorts on any thread in unlinked files in DATA_DIR",
  async () => {
    const folder = temporaryFolder();
    const script = join(folder, "sorting.mjs");
    writeFileSync(script, SORTING);
    const dataDir = join(folder, "data");
    const { stdout } = await run(process.execPath, [script, dataDir], {
      env: { ...process.env, SQLITE_TMPDIR: "/nowhere", TMPDIR: "/nowhere" },
    });
    const printed = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    const named = new RegExp(`^${join(dataDir, "tmp", "(?:etilqs_[0-9a-f]+|#[0-9]+)")} \\(deleted\\)$`);
    const inDataDir = expect.stringMatching(named);
    expect(printed).toEqual([[inDataDir], [inDataDir]]);
    expect(statSync(join(dataDir, "tmp")).mode & 0o777).toBe(0o700);
  },
);
