import { readWrittenKvkNumber, withoutWriting } from "../contract/writtenKvkNumber.ts";
import { spreadsheetRow } from "../lib/spreadsheet.ts";
import type { BatchAnswers, SomeCompany } from "./asking/answers.ts";
import { answersOf } from "./asking/answersOf.ts";
import { type AskingOptions, addAskingOptions } from "./asking/server.ts";
import { companyRow, oneLine, tableLines } from "./asking/show.ts";
import { type AddCommand, type AskingContext, CommandFailure, WrongUse } from "./command.ts";
import { showProgress } from "./progress.ts";

const STDIN = "-";
/** What a list may hold: more is a job for a file that is imported, or for a service's own jobs. */
const MOST_NUMBERS = 100_000;
const FORMATS = ["table", "csv", "jsonl"] as const;
type Format = (typeof FORMATS)[number];

interface Options extends AskingOptions {
  readonly enrich?: boolean;
  readonly format?: string;
  readonly json?: boolean;
}

/** `opzoek batch`: companies of a list, which may come over a pipe. */
export const addBatchCommand: AddCommand<AskingContext> = (program, context) => {
  const command = program
    .command("batch")
    .description(
      "look up up to 100,000 companies, from a service or from the registry in DATA_DIR; `-` or no number reads them from stdin",
    )
    .argument("[kvkNumbers...]", "eight digits each; - or none reads them from stdin, a line or a word each")
    .option("--enrich", "with all known data")
    .option("--format <format>", `${FORMATS.join(", ")}: csv unless stdout is a terminal`)
    .option("--json", "print one JSON document");
  addAskingOptions(command).action(async (words: readonly string[], options: Options) => {
    const format = formatOf(options, context);
    const numbers = await listOf(words, context);
    const answers = await answersOf(context, options);
    const progress = showProgress(context, "companies", numbers.length);
    let told: BatchAnswers;
    try {
      told = await answers.batch(numbers, options.enrich === true, (done) => progress.update(done));
    } finally {
      progress.end();
    }
    if (options.json) context.out(JSON.stringify(told));
    else for (const line of linesOf(told, format, context)) context.out(line);
    if (told.stopped !== undefined) {
      const { remaining, reason } = told.stopped;
      const left = remaining.length.toLocaleString("en");
      throw new CommandFailure(
        `${reason} ${left} were not asked, from ${remaining[0]} on; what is known of the others stands in the output.`,
      );
    }
    if (told.failed.length > 0) {
      throw new CommandFailure(
        `${told.failed.length.toLocaleString("en")} of ${numbers.length.toLocaleString("en")} were not found or are no KVK numbers; the others stand in the output.`,
      );
    }
  });
};

function formatOf({ format, json }: Options, { screen }: AskingContext): Format {
  if (json && format !== undefined)
    throw new WrongUse("--json and --format exclude each other; leave one out.");
  if (format === undefined) return screen.columns === undefined ? "csv" : "table";
  const found = FORMATS.find((one) => one === format);
  if (found === undefined) throw new WrongUse(`--format must be one of ${FORMATS.join(", ")}.`);
  return found;
}

async function listOf(words: readonly string[], { input }: AskingContext): Promise<readonly string[]> {
  const isPiped = words.length === 0 || (words.length === 1 && words[0] === STDIN);
  if (words.length === 0 && input.isTerminal) {
    throw new WrongUse("Say which companies: KVK numbers, or - with a list on stdin.");
  }
  const numbers: string[] = isPiped ? [] : words.map(withoutWriting);
  if (isPiped) {
    for await (const line of input.lines()) {
      numbers.push(...numbersIn(line));
      if (numbers.length > MOST_NUMBERS) break;
    }
  }
  if (numbers.length === 0) throw new WrongUse("The list holds no KVK number.");
  if (numbers.length > MOST_NUMBERS) {
    throw new WrongUse(`A list holds ${MOST_NUMBERS.toLocaleString("en")} numbers at most: divide it.`);
  }
  return [...new Set(numbers)];
}

/** The numbers on a line: one, in whatever way it is written, or several with blanks or signs between them. */
function numbersIn(line: string): string[] {
  const whole = readWrittenKvkNumber(line);
  if (whole.kind === "number") return [whole.number];
  return line
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
    .map(withoutWriting);
}

function linesOf({ results, failed }: BatchAnswers, format: Format, { screen }: AskingContext): string[] {
  if (format === "table") {
    return tableLines(
      [...results.map(companyRow), ...failed.map(({ kvkNumber, error }) => [kvkNumber, `(${error.code})`])],
      screen,
    );
  }
  if (format === "jsonl") return [...results, ...failed].map((one) => JSON.stringify(one));
  return [
    csvLine(CSV_COLUMNS),
    ...results.map((company) => csvLine(csvCells(company))),
    ...failed.map(({ kvkNumber, error }) => csvLine([kvkNumber, "", "", "", "", "", "", "", error.code])),
  ];
}

function csvLine(cells: readonly string[]): string {
  return spreadsheetRow(cells).trimEnd();
}

const CSV_COLUMNS = [
  "kvkNumber",
  "name",
  "isActive",
  "legalForm",
  "postalCode",
  "city",
  "address",
  "vatNumber",
  "error",
] as const;

function csvCells({ kvkNumber, name, isActive, legalForm, address, vat }: SomeCompany): string[] {
  const { postalCode = "", city = "" } = address;
  return [
    kvkNumber,
    name,
    String(isActive),
    legalForm ?? "",
    postalCode,
    city,
    oneLine(address),
    vat?.number ?? "",
    "",
  ];
}
