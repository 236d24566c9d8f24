/** Processes that the benchmarks start. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../bin/opzoek.js", import.meta.url));
const POLL_EVERY_MS = 10;
const READY_WITHIN_MS = 300_000;
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
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly readyMs: number;
  /** Sends SIGTERM and waits for the end of the process and its output. @returns the exit code */
  stop(): Promise<number | null>;
}

export interface ServerOptions {
  readonly port: number;
  /** Its standard output: a file, or a pipe. */
  readonly stdout: number | "pipe";
  /** Made again and again until it is answered with 200. */
  readonly firstCall?: Call;
  readonly onSpawn?: (child: ChildProcess) => void;
}

/**
 * Starts `opzoek serve` and waits for its first answer.
 * @throws {Error} if it ends, or does not answer within five minutes
 */
export async function startServer(environment: NodeJS.ProcessEnv, options: ServerOptions): Promise<Server> {
  const { port, stdout, firstCall = { path: "/v1/health", key: "" }, onSpawn = () => {} } = options;
  const startedMs = performance.now();
  const child = spawn(process.execPath, [MAIN, "serve"], {
    env: { ...environment, PORT: String(port) },
    stdio: ["ignore", stdout, "inherit"],
  });
  const ended = once(child, "close");
  onSpawn(child);
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
    if (isReady && child.pid !== undefined) return { pid: child.pid, readyMs, stop };
    await pause(POLL_EVERY_MS);
  }
  throw new Error(`The server ended with ${await stop()} before it answered; see its log.`);
}
