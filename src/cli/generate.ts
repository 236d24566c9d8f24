import { DEMO_COMPANIES, DEMO_SEED, type DemoSize, generateCompanies } from "../demo/generateCompanies.ts";
import { MAX_COMPANIES } from "../demo/numbers.ts";
import { formatFacts } from "../import/jsonl.ts";
import { type AddCommand, type CliContext, WrongUse } from "./command.ts";
import { localPath } from "./localPath.ts";
import { writeLines } from "./output.ts";
import { showProgress } from "./progress.ts";

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
    .option("--companies <number>", "number of companies", String(DEMO_COMPANIES))
    .option("--seed <number>", "the same number and seed give the same file", String(DEMO_SEED))
    .option("--out <file>", "write to this file instead of stdout", localPath)
    .action((options: Options) => generate(options, context));
};

async function generate(options: Options, context: CliContext): Promise<void> {
  const size = {
    companies: wholeNumber("--companies", options.companies, 1, MAX_COMPANIES),
    seed: wholeNumber("--seed", options.seed, 0, Number.MAX_SAFE_INTEGER),
  };
  const progress = showProgress(context, "companies", size.companies);
  try {
    await writeLines(lines(size), options.out, progress.update);
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

function* lines(size: DemoSize): Generator<string> {
  for (const company of generateCompanies(size)) yield `${formatFacts(company)}\n`;
}
