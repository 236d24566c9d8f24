import type { Vat } from "../../../../../src/contract/vatResources.ts";
import type { Batch } from "../../../api/publicApi.ts";

const COLUMNS = [
  "kvkNumber",
  "name",
  "isActive",
  "street",
  "houseNumber",
  "postalCode",
  "city",
  "country",
  "registrationDate",
  "legalForm",
  "tradingNames",
  "activities",
  "vatNumber",
  "vatStatus",
  "vatValid",
  "error",
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string | undefined>>;

/** What came of a list as a table that spreadsheets open, in the order in which it was asked. */
export function resultCsv(
  asked: readonly string[],
  { results, failed }: Pick<Batch, "results" | "failed">,
): string {
  const rows = new Map<string, Row>();
  for (const company of results) rows.set(company.kvkNumber, rowOf(company));
  for (const { kvkNumber, error } of failed) rows.set(kvkNumber, { kvkNumber, error: error.code });
  const lines = asked.flatMap((number) => rows.get(number) ?? []);
  return [
    COLUMNS.join(","),
    ...lines.map((row) => COLUMNS.map((column) => cell(row[column])).join(",")),
    "",
  ].join("\r\n");
}

function rowOf(company: Batch["results"][number]): Row {
  const { kvkNumber, name, isActive, address } = company;
  const { street, houseNumber, postalCode, city, country } = address;
  return {
    kvkNumber,
    name,
    isActive: String(isActive),
    street,
    houseNumber,
    postalCode,
    city,
    country,
    ...("registrationDate" in company ? { registrationDate: company.registrationDate } : {}),
    ...("legalForm" in company ? { legalForm: company.legalForm } : {}),
    ...("tradingNames" in company ? { tradingNames: company.tradingNames?.join("; ") } : {}),
    ...("activities" in company
      ? { activities: company.activities?.map(({ sbiCode }) => sbiCode).join("; ") }
      : {}),
    ...("vat" in company ? vatOf(company.vat) : {}),
  };
}

function vatOf(vat: Vat | undefined): Row {
  if (vat === undefined) return {};
  const { number, status, valid } = vat;
  return { vatNumber: number, vatStatus: status, vatValid: valid === undefined ? undefined : String(valid) };
}

/**
 * What spreadsheets take for a formula, full-width and small signs included: as the service's own exports have it
 * (`src/lib/spreadsheet.ts`), and a test holds the two equal.
 */
const FORMULA = /^[\t\r\n]|^[\s\p{Cf}]*[=+\-@\u2212]/u;

/** A cell in quotes where it needs them. What a spreadsheet would run as a formula gets an apostrophe before it. */
export function cell(text = ""): string {
  const safe = FORMULA.test(text.normalize("NFKC")) ? `'${text}` : text;
  return /[",\r\n;'\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
