import { type BatchOf, OpzoekError } from "../../client/src/index.ts";
import { kvkDigitsOf, parseKvkNumberText } from "../contract/kvkNumberText.ts";
import { spreadsheetRow } from "../lib/spreadsheet.ts";
import { type AddCommand, type CliContext, UsageError } from "./command.ts";
import { failureOf } from "./failures.ts";
import { withProgress } from "./progress.ts";
import { addAnswering } from "./sources/server.ts";
import { companyRow, oneLine, tableLines } from "./sources/show.ts";
import type { CommandSource, CompanySummary } from "./sources/source.ts";

const STDIN = "-";
/** Longer lists are for `opzoek jobs`. */
const MAX_NUMBERS = 100_000;

/** A batch that may have stopped before its end. */
type Batch = BatchOf<CompanySummary> & {
  readonly stopped?: { readonly reason: string; readonly remaining: readonly string[] };
};

export const addBatchCommand: AddCommand = (program, context) => {
  const command = program
    .command("batch")
    .description(
      "look up up to 100,000 companies, from a service or from the registry in DATA_DIR; prints CSV, or a table on a terminal",
    )
    .argument(
      "[kvkNumbers...]",
      "eight digits each; - or none reads them from stdin, separated by spaces or line breaks",
    )
    .option("--enrich", "return all known data");
  addAnswering(
    command,
    context,
    async (source, words: readonly string[], { enrich }: { enrich?: boolean }) => {
      const numbers = await numbersOf(words, context);
      const batch = await run(source, numbers, enrich === true, context);
      return {
        document: batch,
        lines: () => linesOf(batch, context),
        failure: failureIn(batch, numbers.length),
      };
    },
  );
};

function failureIn({ stopped, failed }: Batch, count: number): string | undefined {
  if (stopped !== undefined) {
    return `${stopped.reason} ${stopped.remaining.length.toLocaleString("en")} were not looked up, starting with ${stopped.remaining[0]}; the output contains the others.`;
  }
  if (failed.length === 0) return undefined;
  return `${failed.length.toLocaleString("en")} of ${count.toLocaleString("en")} were not found or are not KVK numbers; the output contains the others.`;
}

async function run(
  source: CommandSource,
  numbers: readonly string[],
  enrich: boolean,
  context: CliContext,
): Promise<Batch> {
  try {
    return await withProgress(context, (progress) =>
      source.batch(numbers, {
        enrich,
        onProgress: ({ done }) => progress.update({ stage: "companies", done, total: numbers.length }),
      }),
    );
  } catch (error) {
    // Print the results that were paid for.
    const partial = error instanceof OpzoekError ? error.partial : undefined;
    if (partial === undefined || partial.tokensUsed === 0) throw error;
    const { remaining, ...batch } = partial;
    return { ...batch, stopped: { reason: failureOf(error)?.message ?? "", remaining } };
  }
}

async function numbersOf(words: readonly string[], { input }: CliContext): Promise<readonly string[]> {
  if (words.length === 0 && input.isTerminal) {
    throw new UsageError("No companies given: pass KVK numbers, or - with a list on stdin.");
  }
  const isPiped = words.length === 0 || (words.length === 1 && words[0] === STDIN);
  const numbers: string[] = isPiped ? [] : words.map(kvkDigitsOf);
  if (isPiped) {
    for await (const line of input.lines()) {
      numbers.push(...numbersIn(line));
      if (numbers.length > MAX_NUMBERS) break;
    }
  }
  if (numbers.length === 0) throw new UsageError("The list contains no KVK numbers.");
  if (numbers.length > MAX_NUMBERS) {
    throw new UsageError(`A list may contain at most ${MAX_NUMBERS.toLocaleString("en")} numbers: split it.`);
  }
  return [...new Set(numbers)];
}

/** Returns the numbers on a line: one in any notation, or several separated by spaces, commas or semicolons. */
function numbersIn(line: string): string[] {
  const whole = parseKvkNumberText(line);
  if (whole.kind === "number") return [whole.number];
  return line
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
    .map(kvkDigitsOf);
}

/** A table on a terminal, otherwise CSV. */
function linesOf({ results, failed }: Batch, { screen }: CliContext): string[] {
  if (screen.columns !== undefined) {
    const failures = failed.map(({ kvkNumber, error }) => [kvkNumber, `(${error.code})`]);
    return tableLines([...results.map(companyRow), ...failures], screen);
  }
  const columns = Object.keys(CSV_COLUMNS);
  const rows = results.map((company) => Object.values(CSV_COLUMNS).map((cell) => cell(company) ?? ""));
  const failures = failed.map(({ kvkNumber, error }) =>
    columns.map((column) => (column === "kvkNumber" ? kvkNumber : column === "error" ? error.code : "")),
  );
  return [columns, ...rows, ...failures].map((cells) => spreadsheetRow(cells).trimEnd());
}

const CSV_COLUMNS: Readonly<Record<string, (company: CompanySummary) => string | undefined>> = {
  kvkNumber: ({ kvkNumber }) => kvkNumber,
  name: ({ name }) => name,
  isActive: ({ isActive }) => String(isActive),
  legalForm: ({ legalForm }) => legalForm,
  postalCode: ({ address }) => address.postalCode,
  city: ({ address }) => address.city,
  address: ({ address }) => oneLine(address),
  vatNumber: ({ vat }) => vat?.number,
  error: () => undefined,
};
