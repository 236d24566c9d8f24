/** Results of lists: how they are stored, checked against the suppression list, and written as CSV. */

import type { ErrorCode } from "../contract/errors.ts";
import type { JobKind } from "../contract/jobs.ts";
import type { Monitor } from "../contract/monitors.ts";
import type { BasicCompany, Company } from "../contract/resources.ts";
import type { VatValidation } from "../contract/vatResources.ts";
import { listCell, spreadsheetRow } from "../lib/spreadsheet.ts";
import type { Suppressed } from "../lookup/suppression/suppressed.ts";
import type { MatchResult } from "../match/types.ts";
import { withoutCandidates } from "../match/withoutCandidates.ts";
import type { RowPlace } from "./matchRow.ts";
import type { JobQueries } from "./queries/jobs.ts";
import type { RenewedResults } from "./stored.ts";

const STALE_AT_ONCE = 20;

/** A number as it was sent, or the place of a row. */
export type ResultPlace = { readonly number: string } | RowPlace;

/** The result of one item. */
export type ResultLine = ResultPlace &
  (
    | { readonly result: BasicCompany | Company | VatValidation | MatchResult | Monitor }
    | { readonly error: { readonly code: ErrorCode; readonly message: string } }
  );

/** Returns results in their stored form: JSON lines with their sizes. @param mark of the suppression list that they were checked against */
export function storedResults(
  kind: JobKind,
  results: readonly ResultLine[],
  mark: string,
): Omit<RenewedResults, "jobId" | "step" | "staleMark"> {
  const lines = results.map((line) => `${JSON.stringify(line)}\n`).join("");
  const csvBytes = Buffer.byteLength(csvRows(kind, results));
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
 * Removes newly suppressed companies: their lines become NOT_FOUND, their verdicts lose name and address, and they are no longer candidates of
 * a row.
 */
function allowedLines(
  kind: JobKind,
  lines: readonly ResultLine[],
  suppressed: Suppressed,
): readonly ResultLine[] {
  return lines.map((line): ResultLine => {
    if ("error" in line) return line;
    const { result, ...place } = line;
    if ("candidates" in result) {
      return { ...place, result: withoutCandidates(result, (kvkNumber) => suppressed.has(kvkNumber)) };
    }
    if (kind === "vat") {
      if (!("vatNumber" in result) || !suppressed.hasVatNumber(result.vatNumber)) return line;
      const { name: _name, address: _address, ...rest } = result;
      return { ...place, result: rest };
    }
    if (!("kvkNumber" in result) || !suppressed.has(result.kvkNumber)) return line;
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
    const results = allowedLines(kind, linesIn(text), suppressed);
    await store.renewResults({ ...row, ...storedResults(kind, results, mark) });
  }
  return stale.length === STALE_AT_ONCE;
}

type Cell = string | number | boolean | undefined;
type Columns<Result> = Readonly<Record<string, (result: Result) => Cell>>;

const BASIC: Columns<BasicCompany> = {
  kvkNumber: ({ kvkNumber }) => kvkNumber,
  name: ({ name }) => name,
  isActive: ({ isActive }) => isActive,
  registrationDate: ({ registrationDate }) => registrationDate,
  street: ({ address }) => address.street,
  houseNumber: ({ address }) => address.houseNumber,
  postalCode: ({ address }) => address.postalCode,
  city: ({ address }) => address.city,
  country: ({ address }) => address.country,
  isShielded: ({ address }) => address.isShielded,
  source: ({ source }) => source?.kvk,
  cachedAt: ({ source }) => source?.cachedAt,
};

/** Columns of an enriched company. A list of texts is one cell. */
const ENRICHED: Columns<Company> = {
  ...BASIC,
  tradingNames: ({ tradingNames }) => tradingNames && listCell(tradingNames),
  legalForm: ({ legalForm }) => legalForm,
  rsin: ({ rsin }) => rsin,
  deregistrationDate: ({ deregistrationDate }) => deregistrationDate,
  statutoryName: ({ statutoryName }) => statutoryName,
  nonMailing: ({ nonMailing }) => nonMailing,
  employees: ({ employees }) => employees?.total,
  branchCount: ({ branchCount }) => branchCount,
  websites: ({ websites }) => websites && listCell(websites),
  mainSbiCode: ({ activities }) => activities?.find(({ isMain }) => isMain)?.sbiCode,
  sbiCodes: ({ activities }) => activities && listCell(activities.map(({ sbiCode }) => sbiCode)),
  vatNumber: ({ vat }) => vat?.number,
  vatValid: ({ vat }) => vat?.valid,
  vatStatus: ({ vat }) => vat?.status,
  vatValidatedAt: ({ vat }) => vat?.validatedAt,
  vatOrigin: ({ vat }) => vat?.origin,
};

const VAT: Columns<VatValidation> = {
  vatNumber: ({ vatNumber }) => vatNumber,
  valid: ({ valid }) => valid,
  status: ({ status }) => status,
  name: ({ name }) => name,
  address: ({ address }) => address,
  validatedAt: ({ validatedAt }) => validatedAt,
  ageSeconds: ({ ageSeconds }) => ageSeconds,
  checksumValid: ({ checksumValid }) => checksumValid,
};

/** Columns of the best candidate and of the next two. */
const MATCH: Columns<MatchResult> = {
  decision: ({ decision }) => decision,
  kvkNumber: ({ candidates }) => candidates[0]?.kvkNumber,
  name: ({ candidates }) => candidates[0]?.name,
  city: ({ candidates }) => candidates[0]?.city,
  score: ({ candidates }) => candidates[0]?.score,
  ...columnsOfCandidate(2),
  ...columnsOfCandidate(3),
  notes: ({ notes }) => notes?.map(({ message }) => message).join("; "),
};

function columnsOfCandidate(nth: number): Columns<MatchResult> {
  return {
    [`candidate${nth}KvkNumber`]: ({ candidates }) => candidates[nth - 1]?.kvkNumber,
    [`candidate${nth}Name`]: ({ candidates }) => candidates[nth - 1]?.name,
    [`candidate${nth}City`]: ({ candidates }) => candidates[nth - 1]?.city,
    [`candidate${nth}Score`]: ({ candidates }) => candidates[nth - 1]?.score,
  };
}

const MONITOR: Columns<Monitor> = {
  kvkNumber: ({ kvkNumber }) => kvkNumber,
  id: ({ id }) => id,
  status: ({ status }) => status,
  createdAt: ({ createdAt }) => createdAt,
};

const COLUMNS = {
  lookup: BASIC,
  "lookup.enriched": ENRICHED,
  vat: VAT,
  match: MATCH,
  monitor: MONITOR,
} as const;

/** Returns the header row, with its line break. */
export function csvHeader(kind: JobKind): string {
  const place = kind === "match" ? ["row", "id"] : ["number"];
  return spreadsheetRow([...place, ...Object.keys(COLUMNS[kind]), "errorCode", "errorMessage"]);
}

/** Returns a row for each line. */
export function csvRows(kind: JobKind, lines: readonly ResultLine[]): string {
  const columns = Object.values<(result: never) => Cell>(COLUMNS[kind]);
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
