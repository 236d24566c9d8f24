import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/kit/until.ts";
import { pointerPath } from "../places.ts";
import { EarlyNames } from "./earlyNames.ts";

/** The niceness of every thread of this process (`proc_pid_stat(5)`, field 19). */
function nicenesses(): number[] {
  return readdirSync("/proc/self/task").map((task) => {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
}

it.runIf(process.platform === "linux")(
  "reads behind the threads that load the program, and that alone",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "opzoek-early-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const place = { path: join(directory, "snapshot-000001.sqlite"), info: { sha256: "a".repeat(64) } };
    const names = join(directory, "snapshot-000001.names");
    // A pipe holds the thread at its reading until there is somebody at the other end.
    execFileSync("mkfifo", [names]);
    mkdirSync(dirname(pointerPath(directory)), { recursive: true });
    const current = { file: "snapshot-000001.sqlite", sha256: place.info.sha256 };
    writeFileSync(pointerPath(directory), JSON.stringify({ current }));
    const before = nicenesses().filter((niceness) => niceness > 0).length;
    const early = new EarlyNames(directory, -1);
    await until(
      "one thread goes behind the others",
      () => nicenesses().filter((niceness) => niceness > 0).length === before + 1,
    );
    closeSync(openSync(names, "w"));
    expect(await early.take(place)).toBeUndefined();
    early.close();
  },
);
