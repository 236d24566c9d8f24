/** For tests: tables as the import reads them. */
import type { CompanyFacts } from "../../src/company/facts.ts";
import { parseColumnMap } from "../../src/company/table/columns.ts";
import { type CsvImportOptions, readTable } from "../../src/import/formats/csv/read.ts";
import type { RecordResult } from "../../src/import/outcome.ts";
import { inputOf } from "./input.ts";

const AS_OF = "2026-03-01T00:00:00.000Z";

/** Reads a table, and collects the result of each row. */
export async function read(
  text: string,
  options: Partial<CsvImportOptions> & { mapText?: string } = {},
  asOf: string | undefined = AS_OF,
) {
  const map = options.mapText === undefined ? new Map() : parseColumnMap(options.mapText);
  if ("problem" in map) throw new Error(map.problem);
  const input = inputOf("table.csv", text);
  const outcomes: RecordResult[] = [];
  const readOptions = {
    encoding: "utf8" as const,
    assumeActive: false,
    padKvkNumbers: false,
    ...options,
    map,
  };
  for await (const outcome of readTable({ input, origin: "import:table", asOf }, readOptions))
    outcomes.push(outcome);
  return outcomes;
}

/** The facts of one row. */
export async function factsOf(
  header: string,
  row: string,
  options: Parameters<typeof read>[1] = {},
): Promise<CompanyFacts> {
  const [outcome] = await read(`${header}\n${row}\n`, { assumeActive: true, ...options });
  if (outcome?.kind !== "facts") throw new Error(JSON.stringify(outcome));
  return outcome.sourced.facts;
}

/** The reasons for omitted rows or parts of them. */
export async function reasonsOf(text: string, options: Parameters<typeof read>[1] = {}) {
  const outcomes = await read(text, options);
  return outcomes.map((outcome) => {
    if (outcome.kind === "skipped") return outcome.rejection.reason;
    return outcome.kind === "facts" ? outcome.leftOut.map(({ reason }) => reason) : outcome.kind;
  });
}
