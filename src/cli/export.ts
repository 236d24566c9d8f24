import { EXPORT_FORMATS, type ExportFormat, exportLines } from "../import/export/exportLines.ts";
import { allowedCompanies } from "../lookup/suppression/suppressed.ts";
import { registryDirectory } from "../registry/places.ts";
import { openRegistry } from "../registry/registry.ts";
import { type AddCommand, type CliContext, CommandFailure, WrongUse } from "./command.ts";
import { localPath } from "./localPath.ts";
import { writeLines } from "./output.ts";
import { showProgress } from "./progress.ts";
import { asFailure, noRegistry } from "./withSnapshot.ts";

interface Options {
  readonly format: string;
  readonly out?: string;
}

/** `opzoek export`: every company of the current snapshot, as jsonl or as CSV for a spreadsheet. */
export const addExportCommand: AddCommand = (program, context) => {
  program
    .command("export")
    .description("write every company of the registry to stdout or to a file")
    .option(
      "--format <format>",
      "jsonl (complete, `opzoek import jsonl` reads it back) or csv (for a spreadsheet)",
      "jsonl",
    )
    .option("--out <file>", "write to this file instead of stdout", localPath)
    .action((options: Options) => exportRegistry(options, context));
};

async function exportRegistry({ format, out }: Options, context: CliContext): Promise<void> {
  if (!isExportFormat(format)) throw new WrongUse(`--format must be one of ${EXPORT_FORMATS.join(", ")}.`);
  const directory = registryDirectory(context.settings().DATA_DIR);
  const suppressed = await context.suppressed();
  const registry = await openRegistry(directory).catch((error: unknown) => {
    throw asFailure(error);
  });
  try {
    const snapshot = registry.current;
    if (snapshot === undefined) throw new CommandFailure(noRegistry(directory));
    const progress = showProgress(context, "companies", snapshot.info.companies);
    try {
      await writeLines(
        exportLines({ all: () => allowedCompanies(suppressed, snapshot.all()) }, format),
        out,
        progress.update,
      );
    } finally {
      progress.end();
    }
    if (out !== undefined) {
      context.err(`${snapshot.info.companies.toLocaleString("en")} companies written to ${out}`);
    }
  } finally {
    registry.close();
  }
}

function isExportFormat(text: string): text is ExportFormat {
  return EXPORT_FORMATS.some((format) => format === text);
}
