import { Option } from "commander";
import { Jobs } from "../../client/src/jobs/index.ts";
import type { ColumnMap } from "../company/table/columns.ts";
import { JOB_BOUNDS } from "../contract/jobs.ts";
import { type ExplainedCandidate, explain } from "../match/explain.ts";
import { matcherOf } from "../match/matcher.ts";
import { readQuery } from "../match/readQuery.ts";
import type { MatchQuery } from "../match/types.ts";
import { usedColumns } from "../match/usedColumns.ts";
import { type AddCommand, type CliContext, UsageError } from "./command.ts";
import { columnMap, wholeNumber } from "./options.ts";
import { columnsText, counted } from "./output.ts";
import { withNames } from "./snapshot.ts";
import { readBytes } from "./sources/listInput.ts";
import {
  matchInService,
  matchLocally,
  matchOptions,
  type RowOutcome,
  resultRows,
} from "./sources/rowMatching.ts";
import { ROW_FORMATS, type RowFormat, type RowTable, readRowTable, rowTable } from "./sources/rowTable.ts";
import { addSourceOptions, clientOf, type SourceOptions } from "./sources/server.ts";

const FIELDS = {
  name: "name of the company",
  city: "its city",
  postalCode: "its postal code",
  street: "its street",
  houseNumber: "its house number",
  kvkNumber: "its KVK number",
  rsin: "its RSIN",
  vatNumber: "its Dutch VAT number",
  lei: "its LEI",
  euid: "its EUID",
  website: "its website",
} as const satisfies Record<keyof MatchQuery, string>;
const FIELD_NAMES = Object.keys(FIELDS) as readonly (keyof MatchQuery)[];
const EXPLAINED = 5;

type Fields = { readonly [Field in keyof MatchQuery]?: string };

interface MatchCommandOptions extends SourceOptions, Fields {
  readonly format?: RowFormat;
  readonly map?: ColumnMap;
  readonly cap?: number;
  readonly explain?: boolean;
}

export const addMatchCommand: AddCommand = (program, context) => {
  const command = program
    .command("match")
    .description(
      "find the companies of a list of names and addresses, in a service or in the registry in DATA_DIR; prints the list as CSV with the results",
    )
    .argument(
      "[file]",
      "CSV or JSON lines with columns such as name, city, postalCode, street, houseNumber; - reads stdin",
    )
    .addOption(
      new Option("--format <format>", "csv or jsonl (default: by the file's name or first line)").choices(
        ROW_FORMATS,
      ),
    )
    .option(
      "--map <field=column,…>",
      "columns whose names are not recognised, such as name=Zaak,city=",
      columnMap,
    )
    .option("--cap <tokens>", "let a service charge at most this", wholeNumber(1, 1_000_000_000));
  for (const name of FIELD_NAMES) {
    command.option(
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <text>`,
      `without a file: ${FIELDS[name]}`,
    );
  }
  command.option(
    "--explain",
    "without a file: print the evidence for each candidate in the registry in DATA_DIR",
  );
  addSourceOptions(command).action((file: string | undefined, options: MatchCommandOptions) =>
    run(file, options, context),
  );
};

async function run(
  file: string | undefined,
  options: MatchCommandOptions,
  context: CliContext,
): Promise<void> {
  const fields = FIELD_NAMES.filter((name) => options[name] !== undefined);
  if ((file === undefined) === (fields.length === 0)) {
    throw new UsageError("Give a file with a list, or one company with options such as --name and --city.");
  }
  const service = clientOf(context, options, (client) => new Jobs(client));
  if (options.explain === true) {
    if (file !== undefined)
      throw new UsageError("--explain takes one company: use --name and other options.");
    if (service !== undefined)
      throw new UsageError("--explain reads the registry in DATA_DIR: add --local, and leave out --url.");
    return printExplanation(options, context);
  }
  const table = file === undefined ? tableOf(options, fields) : await tableIn(file, options, context);
  if (table.rows.length === 0) throw new UsageError("The list contains no rows.");
  if (file !== undefined) context.err(columnsText(usedColumns(table.header, table.read.fields)));
  const outcomes =
    service === undefined
      ? await matchLocally(table, context)
      : await matchInService(table, service, options.cap, context);
  for (const row of resultRows(table, outcomes)) context.out(row);
  context.err(summary(outcomes));
}

async function tableIn(file: string, options: MatchCommandOptions, { input }: CliContext): Promise<RowTable> {
  return readRowTable(await readBytes(file, input, JOB_BOUNDS.maxMatchBytes), file, options);
}

function tableOf(options: Fields, fields: readonly (keyof MatchQuery)[]): RowTable {
  return rowTable({ header: fields, rows: [fields.map((name) => options[name] ?? "")] });
}

function summary(outcomes: readonly RowOutcome[]): string {
  const counts = { matched: 0, ambiguous: 0, none: 0, invalid: 0 };
  for (const outcome of outcomes) counts["result" in outcome ? outcome.result.decision : "invalid"] += 1;
  return `${counted(outcomes.length, "row", "rows")}: ${Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString("en")} ${name}`)
    .join(", ")}.`;
}

async function printExplanation(fields: Fields, context: CliContext): Promise<void> {
  const query = readQuery(Object.fromEntries(FIELD_NAMES.map((name) => [name, fields[name]])));
  if ("message" in query) throw new UsageError(`${query.message}.`);
  const options = await matchOptions(context, EXPLAINED);
  await withNames(context, (snapshot) => {
    const { decision, candidates } = matcherOf(snapshot).match(query, options);
    context.out(`decision: ${decision}`);
    for (const { kvkNumber, name, score } of candidates) context.out(`${kvkNumber}  ${name}  ${score} %`);
    for (const candidate of explain(matcherOf(snapshot), query, options)) {
      for (const line of explanation(candidate)) context.out(line);
    }
  });
}

/** The evidence with its value, weight and contribution; the sum is the logarithm of the odds. */
function explanation(candidate: ExplainedCandidate): string[] {
  const { kvkNumber, name, score, sum, evidence, readAs, leftOut, readingCost } = candidate;
  const rows = evidence.map(({ name: kind, meaning, value, weight, contribution }) =>
    [kind.padEnd(16), ...[value, weight, contribution].map(figure), ` ${meaning}`].join(" "),
  );
  return [
    "",
    `${kvkNumber}  ${name}`,
    `read as: ${readAs}${leftOut.map((part) => `; left out: ${part}`).join("")}`,
    ["evidence".padEnd(16), "value", "weight", "product"]
      .map((cell, index) => (index === 0 ? cell : cell.padStart(8)))
      .join(" "),
    ...rows,
    ...(readingCost > 0 ? [`${"reading".padEnd(34)} ${figure(-readingCost)}`] : []),
    `${"sum".padEnd(34)} ${figure(sum)}`,
    `${"score".padEnd(34)} ${(score === 0 ? "under 1 %" : `${score} %`).padStart(8)}`,
  ];
}

function figure(value: number): string {
  return value.toFixed(2).padStart(8);
}
