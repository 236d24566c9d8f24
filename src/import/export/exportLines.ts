import { listCell, SPREADSHEET_START, spreadsheetRow } from "../../lib/spreadsheet.ts";
import type { CompanyRecord, Snapshot } from "../../registry/types.ts";
import { formatJsonLine } from "../jsonl.ts";

export const EXPORT_FORMATS = ["jsonl", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Column to its text. `opzoek import csv` knows these names, so that a table can be edited and read back. */
const COLUMNS: Readonly<Record<string, (record: CompanyRecord) => string | number | boolean | undefined>> = {
  kvkNumber: ({ company }) => company.kvkNumber,
  name: ({ company }) => company.name,
  tradingNames: ({ company }) => company.tradingNames && listCell(company.tradingNames),
  statutoryName: ({ company }) => company.statutoryName,
  legalForm: ({ company }) => company.legalForm,
  street: ({ company }) => company.address.street,
  houseNumber: ({ company }) => company.address.houseNumber,
  postalCode: ({ company }) => company.address.postalCode,
  city: ({ company }) => company.address.city,
  country: ({ company }) => company.address.country,
  isShielded: ({ company }) => company.address.isShielded,
  isActive: ({ company }) => company.isActive,
  registrationDate: ({ company }) => company.registrationDate,
  deregistrationDate: ({ company }) => company.deregistrationDate,
  rsin: ({ company }) => company.rsin,
  vatNumber: ({ vatNumber }) => vatNumber,
  sbiCodes: ({ company }) =>
    company.activities &&
    listCell(
      company.activities
        .toSorted((a, b) => Number(b.isMain) - Number(a.isMain))
        .map(({ sbiCode }) => sbiCode),
    ),
  websites: ({ company }) => company.websites && listCell(company.websites),
  employees: ({ company }) => company.employees?.total,
  employeesFullTime: ({ company }) => company.employees?.fullTime,
  employeesPartTime: ({ company }) => company.employees?.partTime,
  nonMailing: ({ company }) => company.nonMailing,
  mainBranchNumber: ({ company }) => company.mainBranchNumber,
  branchCount: ({ company }) => company.branchCount,
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
