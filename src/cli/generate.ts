import { DEMO_COMPANIES, DEMO_SEED, type DemoSize, generateCompanies } from "../demo/generateCompanies.ts";
import { MAX_COMPANIES } from "../demo/numbers.ts";
import { formatFacts } from "../import/jsonl.ts";
import type { AddCommand } from "./command.ts";
import { localPath, wholeNumber } from "./options.ts";
import { writeLines } from "./output.ts";
import { withProgress } from "./progress.ts";

/** `opzoek generate`: a fictional registry as jsonl, on stdout or in a file. */
export const addGenerateCommand: AddCommand = (program, context) => {
  program
    .command("generate")
    .description("write a fictional registry as jsonl, which `opzoek import jsonl` reads")
    .option("--companies <number>", "number of companies", wholeNumber(1, MAX_COMPANIES), DEMO_COMPANIES)
    .option(
      "--seed <number>",
      "the same number and seed give the same file",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
      DEMO_SEED,
    )
    .option("--out <file>", "write to this file instead of stdout", localPath)
    .action(async ({ out, ...size }: DemoSize & { readonly out?: string }) => {
      await withProgress(context, (progress) =>
        writeLines(linesOf(size), out, (done) =>
          progress.update({ stage: "companies", done, total: size.companies }),
        ),
      );
      if (out !== undefined)
        context.err(`${size.companies.toLocaleString("en")} companies written to ${out}`);
    });
};

function* linesOf(size: DemoSize): Generator<string> {
  for (const company of generateCompanies(size)) yield `${formatFacts(company)}\n`;
}
