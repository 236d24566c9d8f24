import { Readable } from "node:stream";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { withState } from "../app/compose/state.ts";
import { parseInstant } from "../company/dates.ts";
import { importFiles } from "../import/importFiles.ts";
import { importLive } from "../import/importLive.ts";
import { STDIN } from "../import/open/openInput.ts";
import { cleanOriginName } from "../import/origin.ts";
import { reportLines } from "../import/report.ts";
import { IMPORT_FORMATS, type ImportFormat, type ImportRequest } from "../import/request.ts";
import { known } from "../lib/values.ts";
import { recordWork } from "../registry/lastWork.ts";
import { registryDirectory } from "../registry/paths.ts";
import { type AddCommand, type CliContext, CommandFailure, UsageError } from "./command.ts";
import { settingsForWriting, suppressedNumbers } from "./opening.ts";
import { columnMap, localPathArgument } from "./options.ts";
import { addPrinting, counted, type Result } from "./output.ts";
import { withProgress } from "./progress.ts";
import { refuseCopy } from "./snapshot.ts";

type CliImportOptions = Pick<ImportRequest, "replace" | "allowShrink" | "name" | "asOf"> &
  Partial<NonNullable<ImportRequest["csv"]>>;

interface Options extends CliImportOptions {
  readonly origin?: "kvk-api";
  readonly rejects?: string;
}

/** The formats that some options are for; other options are for all formats. */
const ONLY_FOR: readonly (readonly [option: keyof Options, formats: readonly ImportFormat[]])[] = [
  ["map", ["csv"]],
  ["assumeActive", ["csv"]],
  ["padKvkNumbers", ["csv"]],
  ["encoding", ["csv"]],
  ["origin", ["kvk"]],
  // The source of gleif is always gleif.
  ["name", IMPORT_FORMATS.filter((format) => format !== "gleif")],
];

export const addImportCommand: AddCommand = (program, context) => {
  const command = program
    .command("import")
    // "import live" and "import insolvencies" have their own options.
    .enablePositionalOptions()
    .description("add the companies in files to the registry")
    .addArgument(new Argument("<format>", IMPORT_FORMATS.join(", ")).choices(IMPORT_FORMATS))
    .argument("<files...>", "plain, gzip, or zip with one file in it; - reads stdin")
    .option("--replace", "replace the registry instead of adding to it")
    .option("--allow-shrink", "import even if an origin loses more than a tenth of its companies")
    .option("--as-of <date>", "the date of the data (default: the file's own time)", dateOf)
    .option(
      "--name <name>",
      "name of the source, import:NAME (default: the file's name; a file of another date continues its source)",
      nameOf,
    )
    .addOption(
      new Option(
        "--origin <origin>",
        "kvk only: kvk-api, if the file contains responses of KVK's API",
      ).choices(["kvk-api"]),
    )
    .option(
      "--map <fields>",
      "csv only: field=column,…, such as name=organisatie,kvkNumber=kvk_nummer",
      columnMap,
    )
    .option("--assume-active", "csv only: treat companies without a status as active")
    .option("--pad-kvk-numbers", "csv only: restore the leading zero of KVK numbers of seven digits")
    .addOption(
      new Option("--encoding <encoding>", "csv only: utf8 (default) or latin1").choices(["utf8", "latin1"]),
    )
    .option("--rejects <file>", "write skipped records to this CSV file", localPathArgument);
  addPrinting(command, context, (format: ImportFormat, files: string[], options: Options) =>
    recordWork(context.settings().DATA_DIR, `import ${format}`, () =>
      runImport(format, files, options, context),
    ),
  );
  addImportLive(command, context);
  addImportInsolvencies(command, context);
};

async function runImport(
  format: ImportFormat,
  files: readonly string[],
  options: Options,
  context: CliContext,
): Promise<Result> {
  for (const [option, formats] of ONLY_FOR) {
    if (options[option] === undefined || formats.includes(format)) continue;
    const name = option.replace(/[A-Z]/g, "-$&").toLowerCase();
    throw new UsageError(`--${name} does not apply to the format ${format}: see "opzoek import --help".`);
  }
  const { origin, rejects, encoding = "utf8", map = new Map(), ...others } = options;
  const { assumeActive = false, padKvkNumbers = false, ...given } = others;
  const { DATA_DIR } = context.settings();
  context.setTemporaryFolder(DATA_DIR);
  const omit = await suppressedNumbers(context);
  const notices: string[] = [];
  const report = await withProgress(context, (progress) =>
    importFiles({
      ...{ ...given, format, files, omit },
      directory: registryDirectory(DATA_DIR),
      stdin: files.includes(STDIN) ? process.stdin : Readable.from([]),
      isFromKvkApi: origin !== undefined,
      ...known("rejectsPath", rejects),
      csv: { encoding, map, assumeActive, padKvkNumbers },
      onProgress: progress.update,
      onNotice: (notice) => notices.push(notice),
    }),
  );
  for (const notice of notices) context.err(notice);
  const failure = report.used === 0 ? "No record could be used: see the report for the reasons." : undefined;
  return { document: report, lines: () => reportLines(report), failure };
}

/** `opzoek import live`: adds the cached responses of KVK to the registry. */
function addImportLive(command: Command, context: CliContext): void {
  const live = command
    .command("live")
    .description("add companies cached from KVK's API to the registry, as origin kvk-api");
  addPrinting(live, context, () =>
    recordWork(context.settings().DATA_DIR, "import live", () => runImportLive(context)),
  );
}

async function runImportLive(context: CliContext): Promise<Result> {
  const settings = context.settings();
  refuseCopy(settings, "run it where the registry is published, then publish it");
  const directory = registryDirectory(settings.DATA_DIR);
  context.setTemporaryFolder(settings.DATA_DIR);
  const omit = await suppressedNumbers(context);
  const report = await withProgress(context, ({ update: onProgress }) =>
    withState(settings, ({ live: store }) => importLive({ directory, store, omit, onProgress })),
  );
  const { snapshot, wrote } = report;
  if (wrote !== "nothing" && snapshot?.origins.every(({ origin }) => origin === "kvk-api")) {
    context.err(
      "The registry contains only companies from KVK's API: autocomplete finds no others. Without a registry, autocomplete uses KVK's search.",
    );
  }
  return { document: report, lines: () => reportLines(report) };
}

/** `opzoek import insolvencies`: loads the court's insolvency register into the state. */
function addImportInsolvencies(command: Command, context: CliContext): void {
  const insolvencies = command
    .command("insolvencies")
    .description(
      "load the courts' insolvency register, or bring it up to date; after an interruption it continues",
    )
    .option("--allow-removals", "first delete the cases that are hidden because the court removed so many");
  addPrinting(insolvencies, context, ({ allowRemovals = false }: { readonly allowRemovals?: boolean }) =>
    recordWork(context.settings().DATA_DIR, "import insolvencies", () =>
      runImportInsolvencies(allowRemovals, context),
    ),
  );
}

async function runImportInsolvencies(allowRemovals: boolean, context: CliContext): Promise<Result> {
  const settings = settingsForWriting(context);
  if (settings.CIR_USER === undefined) {
    throw new CommandFailure(
      "This command calls the insolvency register and needs access: set CIR_USER and CIR_PASSWORD.",
    );
  }
  const { loadInsolvencies } = await import("../app/compose/insolvency.ts");
  const report = await withProgress(context, ({ update }) => {
    const onCase = (done: number, total: number) => update({ stage: "cases", done, total });
    return withState(settings, (state) => loadInsolvencies(settings, state, { allowRemovals, onCase }));
  });
  const { stored, deleted, held, failure } = report;
  const removed = `, ${counted(deleted, "case", "cases")} deleted that the court had removed`;
  const hint = `The court removed so many cases that ${counted(held, "is", "are")} hidden, but not deleted: check the register, then run this command with --allow-removals.`;
  return {
    document: report,
    lines: () => [`${counted(stored, "case", "cases")} fetched${deleted === 0 ? "" : removed}`],
    hints: held === 0 ? [] : [hint],
    failure: failure && `The register is not complete: ${failure}. Run the command again: it continues.`,
  };
}

function dateOf(text: string): string {
  const date = parseInstant(text);
  if (date !== undefined) return date;
  throw new InvalidArgumentError("It must be a date, such as 2026-03-31 or 2026-03-31T12:00:00Z.");
}

function nameOf(text: string): string {
  const clean = cleanOriginName(text);
  if (clean === text) return text;
  throw new InvalidArgumentError(
    `It may contain a-z, 0-9, ".", "_" and "-", at most 64 characters, such as ${clean}.`,
  );
}
