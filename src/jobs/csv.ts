/** Results as CSV, one row a number. */
import type { JobKind } from "../contract/jobs.ts";
import type { BasicCompany, Company } from "../contract/resources.ts";
import type { VatValidation } from "../contract/vatResources.ts";
import { listCell, spreadsheetRow } from "../lib/spreadsheet.ts";
import type { ResultLine } from "./resultLine.ts";

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

/** Of an enriched company; a list of texts is one cell. */
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

const COLUMNS = { lookup: BASIC, "lookup.enriched": ENRICHED, vat: VAT } as const;

/** The names of the columns, with their line break. */
export function csvHeader(kind: JobKind): string {
  return spreadsheetRow(["number", ...Object.keys(COLUMNS[kind]), "errorCode", "errorMessage"]);
}

/** A row for each line. */
export function csvRows(kind: JobKind, lines: readonly ResultLine[]): string {
  const columns = Object.values<(result: never) => Cell>(COLUMNS[kind]);
  return lines
    .map((line) => {
      // The casts: each kind of list brings results of the one type that its columns are of, which its name does not tell the checker.
      const cells =
        "result" in line ? columns.map((cell) => cell(line.result as never)) : columns.map(() => "");
      const error = "error" in line ? [line.error.code, line.error.message] : ["", ""];
      return spreadsheetRow([line.number, ...cells.map(asText), ...error]);
    })
    .join("");
}

function asText(cell: Cell): string {
  return cell === undefined ? "" : String(cell);
}
