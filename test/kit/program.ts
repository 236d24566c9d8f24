import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A program that runs, with what it has written so far. */
export interface Program {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  readonly ended: Promise<Ended>;
}

export interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Starts any program, with nothing on its stdin. */
export function startProgram(
  command: string,
  words: readonly string[],
  surroundings: Surroundings = {},
): Program {
  const child = spawn(command, words, { ...surroundings, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const ended = once(child, "close").then(
    ([code]: (number | null)[]): Ended => ({ code: code ?? null, out: out.join(""), err: err.join("") }),
  );
  return { child, out: () => out.join(""), err: () => err.join(""), ended };
}

/** Runs a program to its end. @throws {Error} with what it said when that is not a good one */
export async function runProgram(
  command: string,
  words: readonly string[],
  surroundings: Surroundings = {},
): Promise<Ended> {
  const ended = await startProgram(command, words, surroundings).ended;
  if (ended.code !== 0) {
    throw new Error(`${command} ${words.join(" ")} ended with ${ended.code}: ${ended.err}${ended.out}`);
  }
  return ended;
}

/** Whether a program that no package of ours brings is on this machine. @param words that end it at once */
export function isInstalled(command: string, words: readonly string[] = ["--version"]): boolean {
  return spawnSync(command, words, { stdio: "ignore" }).status === 0;
}

/** The last of a chain of processes that each started the next one: the program behind npm and a shell. Linux only. */
export function lastChildOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/[0-9]+/g) ?? [];
  return child === undefined ? pid : lastChildOf(Number(child));
}

/** Kills a process that may have ended. @returns whether it still ran */
export function tryToKill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
