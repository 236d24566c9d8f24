import { type ChildProcess, fork, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** What `/proc` counts time in on every Linux that Node runs on. */
const TICK_MS = 10;

/** What a process used so far; absent where there is no `/proc`. */
export interface ProcessUse {
  readonly cpuMs: number;
  readonly residentBytes: number;
}

export function usageOf(pid: number): ProcessUse | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      residentBytes: Number(resident) * 1_024,
    };
  } catch {
    return undefined;
  }
}

/** The processes that a process has started. @throws {Error} when it has ended */
export function childrenOf(pid: number): number[] {
  return (
    readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .match(/[0-9]+/g)
      ?.map(Number) ?? []
  );
}

/** Memory that is no file's, of a process and its children; undefined when it has ended. */
export function anonymousBytesOf(pid: number): number | undefined {
  try {
    const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return childrenOf(pid).reduce(
      (sum, child) => sum + (anonymousBytesOf(child) ?? 0),
      Number(anonymous) * 1_024,
    );
  } catch {
    return undefined;
  }
}

/**
 * What a process and its children used so far, those that have ended included; 0 where there is no `/proc`. For a server
 * that has a process for each connection.
 */
export function cpuMsOfTree(pid: number): number {
  try {
    const all = readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name));
    return all.reduce((sum, name) => sum + ticksIfOf(pid, name), 0) * TICK_MS;
  } catch {
    return 0;
  }
}

function ticksIfOf(pid: number, name: string): number {
  try {
    const [, parent, ...rest] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    if (Number(name) !== pid && Number(parent) !== pid) return 0;
    const [user, system, endedUser, endedSystem] = rest.slice(9, 13).map(Number);
    const own = (user ?? 0) + (system ?? 0);
    return Number(name) === pid ? own + (endedUser ?? 0) + (endedSystem ?? 0) : own;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

/**
 * What was used of the machine so far, in milliseconds of one core: by its processes, and by other machines on the same
 * host, which the kernel counts as stolen. 0 where there is no `/proc`.
 */
export function machineCpuMs(): number {
  try {
    const words = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/ +/) ?? [];
    const [user = 0, nice = 0, system = 0, _idle, _ioWait, irq = 0, softIrq = 0, stolen = 0] = words
      .slice(1)
      .map(Number);
    return (user + nice + system + irq + softIrq + stolen) * TICK_MS;
  } catch {
    return 0;
  }
}

/** A script of ours in its own process, spoken to by messages: one question, one answer. */
export class Helper {
  readonly #child: ChildProcess;

  /** @param nodeWords what Node itself is told, as by its command line */
  constructor(script: URL, nodeWords: readonly string[] = []) {
    this.#child = fork(script, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      execArgv: [...process.execArgv, ...nodeWords],
    });
  }

  get pid(): number {
    return pidOf(this.#child);
  }

  ask(question: object): Promise<unknown> {
    const answer = this.heard();
    this.#child.send(question);
    return answer;
  }

  /** The next message, also one that was not asked for. */
  heard(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => reject(new Error(`a helper process ended with ${code}`));
      this.#child.once("exit", onExit);
      this.#child.once("message", (message) => {
        this.#child.off("exit", onExit);
        resolve(message);
      });
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (hasEnded) return resolve();
      this.#child.once("exit", () => resolve());
      this.#child.disconnect();
    });
  }
}

export interface Started {
  readonly pid: number;
  /** Asks the process to end and waits for it. */
  stop(): Promise<number | null>;
}

/** A program whose stdout goes straight into a file, as a service manager would have it. */
export function startInto(
  file: number,
  words: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
): Started & { readonly ended: Promise<number | null> } {
  const [command, ...rest] = words;
  const child = spawn(command, rest, { env: environment, stdio: ["ignore", file, "inherit"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
  return {
    pid: pidOf(child),
    ended,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("a process could not be started");
  return child.pid;
}
