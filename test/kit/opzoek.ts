import { fileURLToPath } from "node:url";
import { cliContext } from "../../src/cli/context.ts";
import { runCli } from "../../src/cli/program.ts";
import { type Program, type ProgramResult, startProgram } from "./program.ts";

export const MAIN = fileURLToPath(new URL("../../bin/opzoek.js", import.meta.url));

/** Heap for short-lived objects: with the default, garbage collection takes a tenth of a start. */
const FLAGS = ["--min-semi-space-size=16"];

/** Starts `opzoek WORDS…` with the current Node.js. */
export function startOpzoek(words: readonly string[], environment: NodeJS.ProcessEnv): Program {
  return startProgram(process.execPath, [...FLAGS, MAIN, ...words], { env: environment });
}

/**
 * Runs `opzoek WORDS…` to its end in this process, as `main.ts` does: for commands that end by themselves. A separate
 * process would take most of a test's time.
 */
export async function opzoek(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<ProgramResult> {
  const lines: [string[], string[]] = [[], []];
  const [out, err] = lines;
  const context = cliContext(
    { ...environment },
    { out: (line) => out.push(`${line}\n`), err: (line) => err.push(`${line}\n`), stderrIsTerminal: false },
  );
  const code = await runCli(words, context);
  return { code, out: out.join(""), err: err.join("") };
}

/** Runs `opzoek WORDS…` to its end in its own process, with any exit code. */
export function spawnOpzoek(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<ProgramResult> {
  return startOpzoek(words, environment).ended;
}
