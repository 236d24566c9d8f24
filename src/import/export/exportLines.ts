import { LEI_FIELDS } from "../../contract/identifiers.ts";
import { PLAIN_FACTS, type PlainFact } from "../../contract/resources.ts";
import { type Cell, cellOf, SPREADSHEET_START, spreadsheetRow } from "../../lib/spreadsheet.ts";
import type { CompanyRecord, Snapshot } from "../../registry/types.ts";
import { formatJsonLine } from "../jsonl.ts";

export const EXPORT_FORMATS = ["jsonl", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

type Columns = Readonly<Record<string, (record: CompanyRecord) => Cell>>;

/** The columns of facts that are one value or a list of texts. */
function plain(...facts: readonly PlainFact[]): Columns {
  return Object.fromEntries(facts.map((fact) => [fact, ({ company }) => cellOf(company[fact])]));
}

/** Column to its text. `opzoek import csv` knows these names, so that a table can be edited and read back. */
const COLUMNS: Columns = {
  ...plain("kvkNumber", "name", "tradingNames", "statutoryName", "legalForm"),
  street: ({ company }) => company.address.street,
  houseNumber: ({ company }) => company.address.houseNumber,
  postalCode: ({ company }) => company.address.postalCode,
  city: ({ company }) => company.address.city,
  country: ({ company }) => company.address.country,
  isShielded: ({ company }) => company.address.isShielded,
  ...plain("isActive", "registrationDate", "deregistrationDate", "rsin"),
  vatNumber: ({ vatNumber }) => vatNumber,
  sbiCodes: ({ company }) =>
    cellOf(
      company.activities
        ?.toSorted((a, b) => Number(b.isMain) - Number(a.isMain))
        .map(({ sbiCode }) => sbiCode),
    ),
  ...plain("websites"),
  employees: ({ company }) => company.employees?.total,
  employeesFullTime: ({ company }) => company.employees?.fullTime,
  employeesPartTime: ({ company }) => company.employees?.partTime,
  // Columns that stand above keep their place.
  ...plain("nonMailing", "mainBranchNumber", "branchCount", ...PLAIN_FACTS),
  latitude: ({ company }) => company.location?.latitude,
  longitude: ({ company }) => company.location?.longitude,
  bagId: ({ company }) => company.bagId,
  ...Object.fromEntries(LEI_FIELDS.map((field) => [field, ({ company }) => company.identifiers?.[field]])),
  source: ({ company }) => company.source?.kvk,
  cachedAt: ({ company }) => company.source?.cachedAt,
};

/** Every company of a snapshot as the lines of a file, each with its line break, one after the other. */
export function* companyLines(snapshot: Pick<Snapshot, "all">, format: ExportFormat): Generator<string> {
  if (format === "jsonl") {
    for (const { company, ...more } of snapshot.all()) yield `${formatJsonLine({ ...company, ...more })}\n`;
    return;
  }
  yield SPREADSHEET_START + spreadsheetRow(Object.keys(COLUMNS));
  const columns = Object.values(COLUMNS);
  for (const record of snapshot.all()) {
    yield spreadsheetRow(columns.map((column) => String(column(record) ?? "")));
  }
}
