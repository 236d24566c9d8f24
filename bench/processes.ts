/** Processes that the benchmarks start. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../bin/opzoek.js", import.meta.url));

/** The words that start `opzoek` under the Node.js that runs this. */
export const OPZOEK: readonly [node: string, main: string] = [process.execPath, MAIN];

/** Runs one command of `opzoek`. @throws {Error} with its stderr when it fails */
export function opzoek(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const [node, main] = OPZOEK;
    const child = spawn(node, [main, ...words], { env: environment, stdio: ["ignore", "ignore", "pipe"] });
    const errors: string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`opzoek ${words.join(" ")} ended with ${code}: ${errors.join("").trim()}`));
    });
  });
}

/** The processes that a process has started. @throws {Error} when it has ended */
export function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.match(/[0-9]+/g)?.map(Number) ?? [];
}

/** Memory of a process in bytes, from `/proc`; undefined where there is none. */
export function memoryOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}

/** A script of ours in its own process: one message in, one message out. */
export class Helper {
  readonly #child: ChildProcess;

  constructor(script: URL) {
    this.#child = fork(script, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  }

  ask(message: object): Promise<unknown> {
    const answer = this.next();
    this.#child.send(message);
    return answer;
  }

  /** The next message. @throws {Error} when the process ends first */
  next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => reject(new Error(`a helper process ended with ${code}`));
      this.#child.once("exit", onExit);
      this.#child.once("message", (message) => {
        this.#child.off("exit", onExit);
        resolve(message);
      });
    });
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<number | null>;
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
}

/** Starts a program whose stdout goes straight into a file, as a service manager would have it. */
export function startInto(
  file: number,
  words: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
): Started {
  const [command, ...rest] = words;
  const child = spawn(command, rest, { env: environment, stdio: ["ignore", file, "inherit"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
  if (child.pid === undefined) throw new Error("a process could not be started");
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { pid: child.pid, ended, stop };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
