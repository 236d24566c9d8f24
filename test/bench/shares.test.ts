import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { ThreadShares } from "../../bench/shares.ts";
import { describeWith } from "../kit/needs.ts";

const GROUPS = "/sys/fs/cgroup/cpu";
/** Two threads that are named as those of a service, and one that is not. */
const SERVICE = `
  const { Worker } = require("node:worker_threads");
  const named = (name) => new Worker("setInterval(() => {}, 1_000)", { eval: true, name });
  const all = [named("requests 1"), named("state"), named("other")];
  let online = 0;
  for (const worker of all) worker.on("online", () => ++online === 3 && process.stdout.write("ready"));
`;

function canMakeGroups(): boolean {
  try {
    accessSync(`${GROUPS}/cpu.cfs_quota_us`, constants.R_OK);
    accessSync(GROUPS, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

let child: ChildProcess | undefined;
afterEach(end);

async function end(): Promise<void> {
  if (child === undefined) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
  child = undefined;
}

async function start(script: string): Promise<number> {
  const started = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  child = started;
  await once(started.stdout, "data");
  return started.pid ?? 0;
}

/** The group that holds a thread's share, by the thread's name. */
function groupOf(pid: number, name: string): string {
  const tasks = `/proc/${pid}/task`;
  const threadId = readdirSync(tasks).find(
    (one) => readFileSync(`${tasks}/${one}/comm`, "utf8").trimEnd() === name,
  );
  const groups = readFileSync(`${tasks}/${threadId}/cgroup`, "utf8").split("\n");
  return groups.find((line) => line.split(":")[1]?.split(",").includes("cpu"))?.split(":")[2] ?? "none";
}

it("a share that the kernel cannot hold is refused", () => {
  expect(() => new ThreadShares([], 0.05)).toThrow("--thread-share must be from 0.1 to 1");
  expect(() => new ThreadShares([], 1.5)).toThrow("--thread-share must be from 0.1 to 1");
});

describeWith(
  { isMet: canMakeGroups(), lack: "cgroups of version 1 cannot be made" },
  "shares of a core",
  () => {
    it("are held for the threads that answer or decide, and given back", async () => {
      const pid = await start(SERVICE);
      const before = groupOf(pid, "other");
      const shares = new ThreadShares([pid], 0.15);
      shares.hold();
      for (const name of ["requests 1", "state"]) {
        const group = groupOf(pid, name);
        expect(group).not.toBe(before);
        expect(readFileSync(`${GROUPS}${group}/cpu.cfs_quota_us`, "utf8")).toBe("1500\n");
        expect(readFileSync(`${GROUPS}${group}/cpu.cfs_period_us`, "utf8")).toBe("10000\n");
      }
      expect(groupOf(pid, "other")).toBe(before);
      const held = groupOf(pid, "state");
      shares.release();
      for (const name of ["requests 1", "state"]) expect(groupOf(pid, name)).toBe("/");
      expect(existsSync(`${GROUPS}${held}`)).toBe(false);
    });

    it("are given back for a process that has ended", async () => {
      const pid = await start(SERVICE);
      const shares = new ThreadShares([pid], 0.15);
      shares.hold();
      const held = groupOf(pid, "state");
      await end();
      shares.release();
      expect(existsSync(`${GROUPS}${held}`)).toBe(false);
    });

    it("are held for the first thread of a process that has none of those", async () => {
      const pid = await start('setInterval(() => {}, 1_000); process.stdout.write("ready")');
      const shares = new ThreadShares([pid], 0.2);
      shares.hold();
      const group = readFileSync(`/proc/${pid}/task/${pid}/cgroup`, "utf8");
      expect(group).toContain(`opzoek-bench-${process.pid}-${pid}`);
      shares.release();
      // A second time there is nothing to give back.
      shares.release();
    });
  },
);
