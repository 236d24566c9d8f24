import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CASES, STORES, type Store } from "./cases.ts";

/** Prints a line of progress to stderr. */
export function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

/** Runs a command; an error is printed and makes the exit code 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

/** Measurements besides calls. */
export const PARTS = ["suggestions", "start", "changes", "gleif"] as const;

export interface Options {
  readonly companies: number;
  readonly rounds: number;
  readonly gleifRows: number;
  /** Names of {@link CASES} and {@link PARTS}. */
  readonly cases: readonly string[];
  readonly stores: readonly Store[];
  readonly folder: string;
}

const ALL_CASES: readonly string[] = [...PARTS, ...CASES.map(({ name }) => name)];

export const USAGE = `npm run bench -- [options]

  --companies N     companies in the registry (25000)
  --cases a,b       measure only these, besides the full import: ${ALL_CASES.join(", ")}
  --stores a,b      measure calls on these only: ${STORES.join(", ")}
  --rounds N        one-second rounds per call, on each server (3)
  --gleif-rows N    rows of the file in GLEIF's layout (195000)
  --folder PATH     folder for the data of the run (bench/out); not in memory, where a sync costs nothing
`;

/** @throws {Error} if an option is wrong; the message is for the user */
export function parseOptions(words: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...words],
    options: {
      companies: { type: "string", default: "25000" },
      cases: { type: "string", default: ALL_CASES.join(",") },
      stores: { type: "string", default: STORES.join(",") },
      rounds: { type: "string", default: "3" },
      "gleif-rows": { type: "string", default: "195000" },
      folder: { type: "string", default: new URL("out", import.meta.url).pathname },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    companies: positiveNumber("--companies", values.companies),
    rounds: positiveNumber("--rounds", values.rounds),
    gleifRows: positiveNumber("--gleif-rows", values["gleif-rows"]),
    cases: chosen("--cases", values.cases, ALL_CASES),
    stores: chosen("--stores", values.stores, STORES),
    folder: resolve(values.folder),
  };
}

/** @throws {Error} if the text is not a positive whole number */
export function positiveNumber(option: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isSafeInteger(value)) return value;
  throw new Error(`${option} must be a whole number above 0, not "${text}"`);
}

function chosen<T extends string>(option: string, text: string, all: readonly T[]): readonly T[] {
  return text.split(",").map((word) => {
    const found = all.find((name) => name === word);
    if (found === undefined) throw new Error(`${option}: "${word}" is not one of ${all.join(", ")}`);
    return found;
  });
}
