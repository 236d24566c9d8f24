import { createWriteStream } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DEMO_COMPANIES,
  DEMO_SEED,
  type DemoSize,
  generateCompanies,
} from "../registry/demo/generateCompanies.ts";
import { MOST_COMPANIES } from "../registry/demo/numbers.ts";
import { formatFacts } from "../registry/jsonl.ts";
import { type AddCommand, type CliContext, CommandFailure, WrongUse } from "./command.ts";
import { type Progress, showProgress } from "./progress.ts";

/** One write for so many lines: a write for each would cost more than making the company. */
const LINES_PER_WRITE = 200;

interface Options {
  readonly companies: string;
  readonly seed: string;
  readonly out?: string;
}

/** `opzoek generate`: a fictional registry as jsonl, on stdout or in a file. */
export const addGenerateCommand: AddCommand = (program, context) => {
  program
    .command("generate")
    .description("write a fictional registry as jsonl, which `opzoek import jsonl` reads")
    .option("--companies <number>", "how many companies", String(DEMO_COMPANIES))
    .option("--seed <number>", "the same number of companies and seed give the same file", String(DEMO_SEED))
    .option("--out <file>", "write to this file instead of stdout")
    .action((options: Options) => generate(options, context));
};

async function generate(options: Options, context: CliContext): Promise<void> {
  const size = {
    companies: wholeNumber("--companies", options.companies, 1, MOST_COMPANIES),
    seed: wholeNumber("--seed", options.seed, 0, Number.MAX_SAFE_INTEGER),
  };
  const progress = showProgress(context, "companies", size.companies);
  try {
    await writeCompanies(size, options.out, progress);
  } finally {
    progress.end();
  }
  if (options.out !== undefined) {
    context.err(`${size.companies.toLocaleString("en")} companies written to ${options.out}`);
  }
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value < least || value > most) {
    throw new WrongUse(`${option} must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

/** Streams the lines out as fast as the reader takes them, so that memory stays flat. */
async function writeCompanies(size: DemoSize, out: string | undefined, progress: Progress): Promise<void> {
  const target: Writable = out === undefined ? process.stdout : createWriteStream(out);
  try {
    await pipeline(Readable.from(blocksOfLines(size, progress)), target, { end: out !== undefined });
  } catch (error) {
    // A reader that has enough (`| head`) is no failure.
    if (out === undefined && codeOf(error) === "EPIPE") return;
    throw new CommandFailure(
      `The companies could not be written to ${out ?? "stdout"} (${codeOf(error) ?? "unknown error"}); check that the folder exists, may be written and has room.`,
    );
  }
}

function* blocksOfLines(size: DemoSize, progress: Progress): Generator<string> {
  let lines: string[] = [];
  let done = 0;
  for (const company of generateCompanies(size)) {
    lines.push(formatFacts(company));
    done++;
    if (lines.length < LINES_PER_WRITE) continue;
    progress.update(done);
    yield `${lines.join("\n")}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join("\n")}\n`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
