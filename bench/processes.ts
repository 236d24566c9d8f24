/** Processes that the benchmarks start. */
import { type ChildProcess, fork, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../bin/opzoek.js", import.meta.url));
const POLL_EVERY_MS = 10;
const READY_WITHIN_MS = 60_000;
/** Of the times in `/proc`, on every Linux (proc(5), sysconf(3)). */
const TICKS_PER_SECOND = 100;

/** What a command cost. Processor seconds are those of all its threads. */
export interface Cost {
  readonly wallSeconds: number;
  readonly processorSeconds: number;
}

/**
 * Runs one command of `opzoek` at a time.
 * @throws {Error} with its stderr if it fails
 */
export async function opzoek(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Cost> {
  const processorBefore = processorSecondsOfChildren();
  const startedMs = performance.now();
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`opzoek ${words.join(" ")} ended with ${code}: ${errors.trim()}`);
  return {
    wallSeconds: (performance.now() - startedMs) / 1_000,
    processorSeconds: processorSecondsOfChildren() - processorBefore,
  };
}

/** Returns a file in `/proc`; nothing on a system without it, so figures made from it are not numbers there. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the processor time of all children that have ended. */
function processorSecondsOfChildren(): number {
  const stat = readProc("self/stat");
  // Fields 16 and 17; the fields after the name in parentheses start at the third.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** Returns the child processes of a process; none if it has ended. */
export function childrenOf(pid: number): number[] {
  return (
    readProc(`${pid}/task/${pid}/children`)
      .match(/[0-9]+/g)
      ?.map(Number) ?? []
  );
}

/** Returns the resident memory of a process in bytes. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`)) ?? [];
  return Number(kilobytes) * 1_024;
}

/** A GET. */
export interface Call {
  readonly path: string;
  /** Of an account. */
  readonly key: string;
}

export function fetchCall(port: number, { path, key }: Call): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "accept-encoding": "identity" };
  return fetch(`http://127.0.0.1:${port}${path}`, { headers });
}

export interface Server {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  /** From the start of the process to its first 200. */
  readonly readyMs: number;
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
}

/**
 * Starts `opzoek serve` and waits until it answers a call with 200.
 * @throws {Error} if it ends, or does not answer within a minute
 */
export async function startServer(
  environment: NodeJS.ProcessEnv,
  { port, stdio, firstCall }: { port: number; stdio: StdioOptions; firstCall: Call },
): Promise<Server> {
  const startedMs = performance.now();
  const env = { ...environment, PORT: String(port) };
  const child = spawn(process.execPath, [MAIN, "serve"], { env, stdio });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    const [code] = (await ended) as [number | null];
    return code;
  };
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!hasEnded() && performance.now() - startedMs < READY_WITHIN_MS) {
    const isReady = await fetchCall(port, firstCall).then(
      ({ ok }) => ok,
      () => false,
    );
    const readyMs = performance.now() - startedMs;
    if (isReady && child.pid !== undefined) return { child, pid: child.pid, port, readyMs, stop };
    await pause(POLL_EVERY_MS);
  }
  throw new Error(`The server ended with ${await stop()} before it answered; see its log.`);
}

/** One of our scripts in its own process: one message in, one message out. */
export class Helper {
  readonly #child: ChildProcess;

  constructor(script: string) {
    this.#child = fork(new URL(script, import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  }

  ask(message: object): Promise<unknown> {
    const reply = this.next();
    this.#child.send(message);
    return reply;
  }

  /** Waits for the next message. @throws {Error} if the process ends first */
  async next(): Promise<unknown> {
    const ending = new AbortController();
    const ended = once(this.#child, "exit", ending).then(([code]) => {
      throw new Error(`A helper process ended with ${code}`);
    });
    const [message] = await Promise.race([once(this.#child, "message", ending), ended]).finally(() =>
      ending.abort(),
    );
    return message;
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

/** The words that start `opzoek` under the Node.js that runs this. */
export const OPZOEK: readonly [node: string, main: string] = [process.execPath, MAIN];

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
