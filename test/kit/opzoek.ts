import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cliContext } from "../../src/app/commandContext.ts";
import { runCli } from "../../src/cli/program.ts";

export const MAIN = fileURLToPath(new URL("../../bin/opzoek.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A program of ours that runs, with what it has written so far. */
export interface Program {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  readonly ended: Promise<Ended>;
}

/** Room for what a start makes and drops: with the usual one a tenth of its time is collecting garbage. */
const FLAGS = ["--min-semi-space-size=16"];

/** Starts `opzoek WORDS…` under the Node that runs this. */
export function startOpzoek(words: readonly string[], environment: NodeJS.ProcessEnv): Program {
  const child = spawn(process.execPath, [...FLAGS, MAIN, ...words], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out: out.join(""), err: err.join("") }));
  });
  return { child, out: () => out.join(""), err: () => err.join(""), ended };
}

/**
 * Runs `opzoek WORDS…` to its end in this process, as `main.ts` does: for commands that end by themselves and write lines.
 * Starting a process for each would be most of a test.
 */
export async function opzoek(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const lines: [string[], string[]] = [[], []];
  const [out, err] = lines;
  const context = cliContext(
    { ...environment },
    { out: (line) => out.push(`${line}\n`), err: (line) => err.push(`${line}\n`), stderrIsTerminal: false },
  );
  const code = await runCli(words, context);
  return { code, out: out.join(""), err: err.join("") };
}

/** Runs `opzoek WORDS…` to its end in a process of its own, whatever that end is. */
export function spawnOpzoek(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  return startOpzoek(words, environment).ended;
}
