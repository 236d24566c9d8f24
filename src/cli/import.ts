import { Readable } from "node:stream";
import { parseInstant } from "../company/dates.ts";
import { type ColumnMap, parseColumnMap } from "../import/formats/csv/columns.ts";
import { importFiles } from "../import/importFiles.ts";
import { STDIN } from "../import/open/openInput.ts";
import { cleanName } from "../import/origin.ts";
import { ImportRefused } from "../import/outcome.ts";
import { reportLines } from "../import/report.ts";
import { IMPORT_FORMATS, type ImportFormat, type ImportRequest } from "../import/request.ts";
import { registryDirectory } from "../registry/places.ts";
import { type AddCommand, type CliContext, CommandFailure, WrongUse } from "./command.ts";
import { addImportLiveCommand, type ImportLiveContext } from "./importLive.ts";
import { ImportProgressBar } from "./importProgress.ts";
import { localPath } from "./localPath.ts";
import { asFailure } from "./withSnapshot.ts";

interface Options {
  readonly replace?: boolean;
  readonly allowShrink?: boolean;
  readonly name?: string;
  readonly origin?: string;
  readonly asOf?: string;
  readonly map?: string;
  readonly assumeActive?: boolean;
  readonly padKvkNumbers?: boolean;
  readonly encoding?: string;
  readonly rejects?: string;
  readonly json?: boolean;
}

const ONLY_CSV = ["map", "assumeActive", "padKvkNumbers", "encoding"] as const;

/** `opzoek import FORMAT FILE…`: adds companies to the registry, or builds it anew. */
export const addImportCommand: AddCommand<ImportLiveContext> = (program, context) => {
  const command = program
    .command("import")
    // "import live" has options of its own.
    .enablePositionalOptions()
    .description("add the companies of files to the registry")
    .argument("<format>", IMPORT_FORMATS.join(", "))
    .argument("<files...>", "plain, gzip, or zip with one file in it; - is standard input")
    .option("--replace", "replace the registry instead of adding to it")
    .option("--allow-shrink", "import even if an origin loses more than a tenth of its companies")
    .option("--as-of <date>", "the date of the data (default: the file's own time)")
    .option("--name <name>", "name of the source: import:NAME (default: the file's name)")
    .option("--origin <origin>", "kvk only: kvk-api, when the file holds answers of KVK's API")
    .option("--map <fields>", "csv only: field=column,…, such as name=organisatie,kvkNumber=kvk_nummer")
    .option("--assume-active", "csv only: treat companies without a status as active")
    .option("--pad-kvk-numbers", "csv only: restore the leading zero of KVK numbers of seven digits")
    .option("--encoding <encoding>", "csv only: utf8 (default) or latin1")
    .option("--rejects <file>", "write skipped records to this CSV file", localPath)
    .option("--json", "print the report as JSON")
    .action((format: string, files: string[], options: Options) =>
      runImport(requestOf(format, files, options), options, context),
    );
  addImportLiveCommand(command, context);
};

type Request = Omit<ImportRequest, "directory">;

async function runImport(request: Request, options: Options, context: CliContext): Promise<void> {
  const { DATA_DIR } = context.settings();
  const directory = registryDirectory(DATA_DIR);
  context.keepTemporaryFiles(DATA_DIR);
  const omit = await context.suppressed();
  const progress = new ImportProgressBar(context, request.files.length);
  const report = await importFiles({ ...request, directory, omit, onProgress: (now) => progress.update(now) })
    .catch((error: unknown) => {
      throw error instanceof ImportRefused ? new CommandFailure(error.message) : asFailure(error);
    })
    .finally(() => progress.end());
  if (options.json === true) context.out(JSON.stringify(report));
  else for (const line of reportLines(report)) context.out(line);
  if (report.used === 0) throw new CommandFailure("No record could be used; the reasons are in the report.");
}

/** @throws {WrongUse} for options that cannot be meant */
function requestOf(format: string, files: readonly string[], options: Options): Request {
  if (!isImportFormat(format)) {
    throw new WrongUse(`The format must be one of ${IMPORT_FORMATS.join(", ")}; "${format}" is none.`);
  }
  const foreign = ONLY_CSV.find((name) => options[name] !== undefined && format !== "csv");
  if (foreign !== undefined) {
    throw new WrongUse(`--${foreign.replace(/[A-Z]/g, "-$&").toLowerCase()} is for the format csv only.`);
  }
  if (options.origin !== undefined && (format !== "kvk" || options.origin !== "kvk-api")) {
    throw new WrongUse(
      "--origin takes kvk-api only, with the format kvk; other sources are named with --name.",
    );
  }
  if (options.name !== undefined && format === "gleif") {
    throw new WrongUse("--name is not for the format gleif: its source is always gleif.");
  }
  if (options.name !== undefined && cleanName(options.name) !== options.name) {
    throw new WrongUse(
      `--name takes a-z, 0-9, ".", "_" and "-", 64 characters at most, such as ${cleanName(options.name)}.`,
    );
  }
  return {
    format,
    files,
    stdin: files.includes(STDIN) ? process.stdin : Readable.from([]),
    replace: options.replace === true,
    allowShrink: options.allowShrink === true,
    isFromKvkApi: options.origin === "kvk-api",
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.asOf === undefined ? {} : { asOf: dateOf(options.asOf) }),
    ...(options.rejects === undefined ? {} : { rejectsPath: options.rejects }),
    csv: {
      encoding: encodingOf(options.encoding ?? "utf8"),
      map: options.map === undefined ? new Map() : mapOf(options.map),
      assumeActive: options.assumeActive === true,
      padKvkNumbers: options.padKvkNumbers === true,
    },
  };
}

function isImportFormat(text: string): text is ImportFormat {
  return IMPORT_FORMATS.some((format) => format === text);
}

function dateOf(text: string): string {
  const date = parseInstant(text);
  if (date === undefined)
    throw new WrongUse("--as-of takes a date, such as 2026-03-31 or 2026-03-31T12:00:00Z.");
  return date;
}

function encodingOf(text: string): "utf8" | "latin1" {
  if (text === "utf8" || text === "latin1") return text;
  throw new WrongUse("--encoding takes utf8 or latin1.");
}

function mapOf(text: string): ColumnMap {
  const map = parseColumnMap(text);
  if ("problem" in map) throw new WrongUse(map.problem);
  return map;
}
