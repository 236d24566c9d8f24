/** Results of lists: how they are stored, checked against the suppression list, and written as CSV. */

import type { JobKind } from "../contract/jobs.ts";
import { type Cell, spreadsheetRow } from "../lib/spreadsheet.ts";
import { isJsonObject } from "../lib/values.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import { withoutCandidates } from "../match/withoutCandidates.ts";
import { LIST_KINDS } from "./kinds.ts";
import type { ResultLine } from "./listWork.ts";
import type { JobQueries } from "./queries/jobs.ts";
import type { RenewedResults } from "./stored.ts";

const STALE_AT_ONCE = 20;

/**
 * Returns results in their stored form: JSON lines with their sizes.
 * @param mark of the suppression list that they were checked against
 */
export function storedResults(
  kind: JobKind,
  results: readonly ResultLine[],
  mark: string,
): Omit<RenewedResults, "jobId" | "step" | "staleMark"> {
  const lines = results.map((line) => `${JSON.stringify(line)}\n`).join("");
  const csvBytes = Buffer.byteLength(resultCsvRows(kind, results));
  return { lines, jsonlBytes: Buffer.byteLength(lines), csvBytes, mark };
}

/** Parses stored lines. */
export function linesIn(text: string): ResultLine[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ResultLine);
}

/**
 * Removes newly suppressed companies: their lines become NOT_FOUND, their verdicts lose name and address, and they are
 * no longer candidates of a row.
 */
function allowedLines(lines: readonly ResultLine[], suppressed: Suppressed): readonly ResultLine[] {
  return lines.map((line): ResultLine => {
    if ("error" in line) return line;
    const { result, ...place } = line;
    if ("candidates" in result) {
      return { ...place, result: withoutCandidates(result, (kvkNumber) => suppressed.has(kvkNumber)) };
    }
    if ("vatNumber" in result) {
      if (!suppressed.hasVatNumber(result.vatNumber)) return line;
      const { name: _name, address: _address, ...rest } = result;
      return { ...place, result: rest };
    }
    if (!suppressed.has(result.kvkNumber)) return line;
    const message = `no company with KVK number ${result.kvkNumber} is known here`;
    return { ...place, error: { code: "NOT_FOUND", message } };
  });
}

/**
 * Rechecks some results that were checked against an older suppression list.
 * @param listId only results of this list
 * @returns whether there may be more
 */
export async function renewStale(
  store: JobQueries,
  suppressed: Suppressed,
  mark: string,
  listId?: string,
): Promise<boolean> {
  const stale = await store.staleResults(mark, STALE_AT_ONCE, listId);
  for (const { kind, lines: text, ...row } of stale) {
    const results = allowedLines(linesIn(text), suppressed);
    await store.renewResults({ ...row, ...storedResults(kind, results, mark) });
  }
  return stale.length === STALE_AT_ONCE;
}

const CASE_NUMBER = '"caseNumber":';

/** Erases insolvencies that come from these cases of the court, in steps; those companies then have none in results. */
export async function eraseFromResults(
  store: Pick<JobQueries, "resultsAfter" | "renewResults">,
  caseNumbers: readonly string[],
): Promise<void> {
  const erased = new Set(caseNumbers);
  let rows = await store.resultsAfter({ jobId: "", step: -1 }, CASE_NUMBER, STALE_AT_ONCE);
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    for (const { kind, lines: text, ...row } of rows) {
      const lines = linesIn(text);
      const kept = lines.map((line) => withoutCase(line, erased));
      if (kept.every((line, nth) => line === lines[nth])) continue;
      await store.renewResults({ ...row, ...storedResults(kind, kept, row.staleMark) });
    }
    rows = await store.resultsAfter(last, CASE_NUMBER, STALE_AT_ONCE);
  }
}

/** The same line if it has no such case. */
function withoutCase(line: ResultLine, erased: ReadonlySet<string>): ResultLine {
  if ("error" in line || !("insolvency" in line.result)) return line;
  const { insolvency, ...result } = line.result;
  const caseNumber = isJsonObject(insolvency) ? insolvency["caseNumber"] : undefined;
  return erased.has(String(caseNumber)) ? { ...line, result } : line;
}

/** Returns the header row, with its line break. */
export function csvHeader(kind: JobKind): string {
  const { form, columns } = LIST_KINDS[kind];
  const place = form === undefined ? ["row", "id"] : ["number"];
  return spreadsheetRow([...place, ...Object.keys(columns), "errorCode", "errorMessage"]);
}

/** Returns a row for each line. */
export function resultCsvRows(kind: JobKind, lines: readonly ResultLine[]): string {
  const columns = Object.values<(result: never) => Cell>(LIST_KINDS[kind].columns);
  return lines
    .map((line) => {
      // The casts: each kind of list has results of the type that its columns read, which the compiler cannot see.
      const cells =
        "result" in line ? columns.map((cell) => cell(line.result as never)) : columns.map(() => "");
      const error = "error" in line ? [line.error.code, line.error.message] : ["", ""];
      const place = "row" in line ? [String(line.row), line.id ?? ""] : [line.number];
      return spreadsheetRow([...place, ...cells.map(asText), ...error]);
    })
    .join("");
}

function asText(cell: Cell): string {
  return cell === undefined ? "" : String(cell);
}
