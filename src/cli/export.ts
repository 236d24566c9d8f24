import { Option } from "commander";
import {
  DEMO_COMPANIES,
  DEMO_SEED,
  type DemoSize,
  generateCompanies,
} from "../demo/registry/generateCompanies.ts";
import { MAX_COMPANIES } from "../demo/registry/numbers.ts";
import { companyLines, EXPORT_FORMATS, type ExportFormat } from "../import/export/exportLines.ts";
import { formatFacts } from "../import/jsonl.ts";
import { allowedCompanies } from "../lookup/suppression/suppressed.ts";
import { registryDirectory } from "../registry/paths.ts";
import { openRegistry } from "../registry/registry.ts";
import { type AddCommand, type CliContext, CommandFailure } from "./command.ts";
import { suppressedNumbers } from "./opening.ts";
import { localPathArgument, wholeNumber } from "./options.ts";
import { writeLines } from "./output.ts";
import { withProgress } from "./progress.ts";
import { noRegistry } from "./snapshot.ts";

interface Options {
  readonly format: ExportFormat;
  readonly out?: string;
}

export const addExportCommand: AddCommand = (program, context) => {
  program
    .command("export")
    .description("write every company of the registry to stdout or to a file")
    .addOption(
      new Option(
        "--format <format>",
        "jsonl (complete, for `opzoek import jsonl`) or csv (for a spreadsheet)",
      )
        .choices(EXPORT_FORMATS)
        .default("jsonl"),
    )
    .option("--out <file>", "write to this file instead of stdout", localPathArgument)
    .action((options: Options) => exportRegistry(options, context));
};

async function exportRegistry({ format, out }: Options, context: CliContext): Promise<void> {
  const directory = registryDirectory(context.settings().DATA_DIR);
  const suppressed = await suppressedNumbers(context);
  const registry = await openRegistry(directory);
  try {
    const snapshot = registry.current;
    if (snapshot === undefined) throw new CommandFailure(noRegistry(directory));
    const total = snapshot.info.companies;
    const lines = companyLines({ all: () => allowedCompanies(suppressed, snapshot.all()) }, format);
    await withProgress(context, (progress) =>
      writeLines(lines, out, (done) => progress.update({ stage: "companies", done, total })),
    );
    if (out !== undefined) context.err(`${total.toLocaleString("en")} companies written to ${out}`);
  } finally {
    registry.close();
  }
}

export const addGenerateCommand: AddCommand = (program, context) => {
  program
    .command("generate")
    .description("write a fictional registry as jsonl, for `opzoek import jsonl`")
    .option("--companies <number>", "number of companies", wholeNumber(1, MAX_COMPANIES), DEMO_COMPANIES)
    .option(
      "--seed <number>",
      "the same number and seed produce the same file",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
      DEMO_SEED,
    )
    .option("--out <file>", "write to this file instead of stdout", localPathArgument)
    .action(async ({ out, ...size }: DemoSize & { readonly out?: string }) => {
      await withProgress(context, (progress) =>
        writeLines(generatedLines(size), out, (done) =>
          progress.update({ stage: "companies", done, total: size.companies }),
        ),
      );
      if (out !== undefined)
        context.err(`${size.companies.toLocaleString("en")} companies written to ${out}`);
    });
};

function* generatedLines(size: DemoSize): Generator<string> {
  for (const company of generateCompanies(size)) yield `${formatFacts(company)}\n`;
}
