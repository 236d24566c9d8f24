/** Processes that the benchmarks start. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runProgram } from "../test/kit/program.ts";

const MAIN = fileURLToPath(new URL("../bin/opzoek.js", import.meta.url));
const POLL_EVERY_MS = 10;
const READY_WITHIN_MS = 300_000;

/**
 * Runs one command of `opzoek`.
 * @returns the seconds it took
 * @throws {Error} with its output if it fails
 */
export async function opzoek(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const startedMs = performance.now();
  await runProgram(process.execPath, [MAIN, ...words], { env: environment });
  return (performance.now() - startedMs) / 1_000;
}

/** Returns a file in `/proc`; nothing on a system without it, so figures made from it are not numbers there. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the child processes of a process; none if it has ended. */
export function childrenOf(pid: number | undefined): number[] {
  const words = readProc(`${pid}/task/${pid}/children`).split(" ");
  return words.filter((word) => word !== "").map(Number);
}

/** Returns the resident memory of a process and its children in bytes. */
export function memoryOf(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`)) ?? [];
  return childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), Number(kilobytes) * 1_024);
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
  /** From the start of the process to its first answer. */
  readonly readyMs: number;
  /** Sends a signal and waits for the end of the process and its output. @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ServerOptions {
  /** The program and its arguments, instead of `opzoek serve`. */
  readonly words?: readonly string[];
  readonly port: number;
  /** Its standard output: a file, or a pipe. */
  readonly stdout: number | "pipe";
  /** Made again and again until it is answered with 200. */
  readonly firstCall?: Call;
}

/**
 * Starts a server and waits for its first answer. It ends with this process.
 * @throws {Error} if it ends, or does not answer within five minutes
 */
export async function startServer(environment: NodeJS.ProcessEnv, options: ServerOptions): Promise<Server> {
  const { port, stdout, firstCall = { path: "/v1/health", key: "" }, words = [MAIN, "serve"] } = options;
  const startedMs = performance.now();
  const child = spawn(process.execPath, words, {
    env: { ...environment, PORT: String(port) },
    stdio: ["ignore", stdout, "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "close");
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    process.off("exit", kill);
    return code;
  };
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!hasEnded() && performance.now() - startedMs < READY_WITHIN_MS) {
    const isReady = await fetchCall(port, firstCall).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { child, readyMs: performance.now() - startedMs, stop };
    await pause(POLL_EVERY_MS);
  }
  throw new Error(`The server ended with ${await stop()} before it answered; see its log.`);
}
