import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

export interface ProgramResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A running program, and its output so far. */
export interface Program {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  readonly ended: Promise<ProgramResult>;
}

export interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Starts any program, with an empty stdin. */
export function startProgram(
  command: string,
  words: readonly string[],
  surroundings: ProcessOptions = {},
): Program {
  const child = spawn(command, words, { ...surroundings, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const ended = once(child, "close").then(
    ([code]: (number | null)[]): ProgramResult => ({
      code: code ?? null,
      out: out.join(""),
      err: err.join(""),
    }),
  );
  return { child, out: () => out.join(""), err: () => err.join(""), ended };
}

/** Runs a program to its end. @throws {Error} with its output if its exit code is not 0 */
export async function runProgram(
  command: string,
  words: readonly string[],
  surroundings: ProcessOptions = {},
): Promise<ProgramResult> {
  const ended = await startProgram(command, words, surroundings).ended;
  if (ended.code !== 0) {
    throw new Error(`${command} ${words.join(" ")} ended with ${ended.code}: ${ended.err}${ended.out}`);
  }
  return ended;
}

/**
 * Whether a program that none of our packages provides is on this machine.
 * @param words arguments with which it ends at once
 */
export function isInstalled(command: string, words: readonly string[] = ["--version"]): boolean {
  return spawnSync(command, words, { stdio: "ignore" }).status === 0;
}

/** The last of a chain of child processes: the program behind npm and a shell. Linux only. */
export function lastChildOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/[0-9]+/g) ?? [];
  return child === undefined ? pid : lastChildOf(Number(child));
}

/** Kills a process that may have ended. @returns whether it was still running */
export function killIfRunning(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
