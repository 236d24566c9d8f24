/** Recognises columns that no heading names by their values, in lists of companies to match. */
import { isKvkNumber, passesKvkCheck } from "../../contract/numbers.ts";
import { type CsvField, isOfAddress } from "./columns.ts";
import { isOtherHeading, kvkShares } from "./kvkColumn.ts";

/** Rows that decide; the values of more would not change the verdict. */
export const SAMPLE_ROWS = 50;
const MAX_COLUMNS = 50;
const MAX_LENGTH = 100;
/** The minimum share of the values of a column that have the form of a field. */
const MIN_SHARE = 0.6;
/** Input: at most 100 letters. */
const FORMS: readonly (readonly [CsvField, RegExp])[] = [
  ["postalCode", /^[1-9]\d{3} ?[a-z]{2}$/i],
  ["vatNumber", /^NL[ .]?\d{3}[ .]?\d{3}[ .]?\d{3}[ .]?B[ .]?\d{2}$/i],
  ["websites", /^(?:https?:\/\/)?(?:[\w-]+\.)+[a-z]{2,}(?:\/\S*)?$/i],
  ["address", /\b(?=[1-9]\d{3} ?[A-Z]{2}\b)(?<=\p{L}.*)/u],
  ["street", /^\p{L}[\p{L}\d .'’-]*\s\d+(?:[\s/-]?[\da-z]{1,4}){0,2}$/iu],
];
const LEGAL_FORM =
  /(?:^|\s)(?:b\.?v|n\.?v|v\.?o\.?f|c\.?v|stichting|vereniging|co[öo]peratie|holding)\.?(?=\s|$)/i;
const WORDS = /^(?!.*@).*\p{L}{2}/u;
const CITY = /^['’]?\p{L}[\p{L} .'’()/-]{1,40}$/u;
/** Below a heading, a column of texts has names of companies from this share of legal forms on. */
const MIN_FORMS = 0.2;

/** Headings that speak of a register. */
const REGISTER = /regist|inschr|kamer|handels/i;

/**
 * Returns the columns found, and the columns that only their values show. A single column of texts has the names.
 * @param rows below the header
 * @param headings undefined if there are none: then texts are taken for names and cities more readily
 */
export function withColumnsByValue(
  found: ReadonlyMap<CsvField, number>,
  rows: readonly (readonly string[])[],
  headings?: readonly string[],
): ReadonlyMap<CsvField, number> {
  const columns = new Map(found);
  const sample = rows.slice(0, SAMPLE_ROWS);
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...sample.map((row) => row.length)));
  const all = Array.from({ length: width }, (_, column) => ({
    column,
    heading: headings?.[column] ?? "",
    values: sample.flatMap((row) => (row[column] ?? "").trim().slice(0, MAX_LENGTH) || []),
  }));
  const address = all.find(({ column }) => column === columns.get("address"));
  if (address !== undefined && !columns.has("street") && formOf(address) === "street") {
    columns.delete("address");
    columns.set("street", address.column);
  }
  const taken = new Set(columns.values());
  const texts = all.filter((one) => {
    if (taken.has(one.column) || isOfAddress(one.heading)) return false;
    const field = formOf(one);
    if (field === undefined || columns.has(field)) return shareOf(one, WORDS) >= MIN_SHARE;
    columns.set(field, one.column);
    return false;
  });
  const [name] = texts.toSorted((one, two) => shareOf(two, LEGAL_FORM) - shareOf(one, LEGAL_FORM));
  const hasName = (["name", "statutoryName", "tradingNames"] as const).some((field) => columns.has(field));
  if (name !== undefined && !hasName && (headings === undefined || shareOf(name, LEGAL_FORM) >= MIN_FORMS)) {
    columns.set("name", name.column);
  }
  const cities = texts.filter(
    (text) => text.column !== columns.get("name") && shareOf(text, CITY) >= MIN_SHARE,
  );
  const city =
    cities.find(({ column }) => column - 1 === columns.get("postalCode")) ??
    (headings === undefined && cities.length === 1 ? cities[0] : undefined);
  if (city !== undefined && !columns.has("city")) columns.set("city", city.column);
  return columns;
}

interface Column {
  readonly heading: string;
  readonly values: readonly string[];
}

function formOf(column: Column): CsvField | undefined {
  const field = FORMS.find(([, form]) => shareOf(column, form) >= MIN_SHARE)?.[0];
  if (isOtherHeading(column.heading)) return field === "street" ? undefined : field;
  return field ?? (isKvkColumn(column) ? "kvkNumber" : undefined);
}

/** Whether values are KVK numbers, and not numbers of debtors: from 50000000 on they have a check digit. */
function isKvkColumn({ heading, values }: Column): boolean {
  const checked = values.filter(isKvkNumber).filter((number) => number >= "50000000");
  const isLikely = REGISTER.test(heading) || 2 * checked.filter(passesKvkCheck).length > checked.length;
  return isLikely && kvkShares(values).whole >= MIN_SHARE;
}

function shareOf({ values }: Column, form: RegExp): number {
  return values.filter((text) => form.test(text)).length / Math.max(1, values.length);
}
