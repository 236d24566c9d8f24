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

/** Of the numbers in a column of KVK numbers: the minimum share of whole ones, and the maximum of possible dates. */
const MIN_WHOLE = 0.4;
const MAX_DATES = 0.9;
/** Headings that speak of a register. */
const REGISTER = /regist|inschr|kamer|handels/i;

type Values = { readonly column: number; readonly values: readonly string[] };

/**
 * Returns the columns found, and those that only their values show. A single column of texts has the names.
 * @param rows below the header
 * @param headings undefined if there are none: then texts are taken for names and cities more readily
 */
export function withColumnsByValue(
  found: ReadonlyMap<CsvField, number>,
  rows: readonly (readonly string[])[],
  headings?: readonly string[],
): ReadonlyMap<CsvField, number> {
  const columns = new Map(found);
  const width = Math.min(
    MAX_COLUMNS,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  );
  const valuesOf = (column: number) =>
    rows.slice(0, SAMPLE_ROWS).flatMap((row) => (row[column] ?? "").trim().slice(0, MAX_LENGTH) || []);
  const texts: Values[] = [];
  for (let column = 0; column < width; column += 1) {
    const heading = headings?.[column] ?? "";
    if ([...columns.values()].includes(column) || isOfAddress(heading)) continue;
    const values = valuesOf(column);
    if (values.length === 0) continue;
    const field = formOf(values);
    const isOther = field === "street" && isOtherHeading(heading);
    if (field !== undefined && !columns.has(field) && !isOther) columns.set(field, column);
    else if (!columns.has("kvkNumber") && isKvkColumn(values, heading)) columns.set("kvkNumber", column);
    else if (shareOf(values, WORDS) >= MIN_SHARE) texts.push({ column, values });
  }
  const address = columns.get("address");
  if (address !== undefined && !columns.has("street") && formOf(valuesOf(address)) === "street") {
    columns.delete("address");
    columns.set("street", address);
  }
  const [name] = texts.toSorted((one, two) => formsIn(two) - formsIn(one));
  const hasName = (["name", "statutoryName", "tradingNames"] as const).some((field) => columns.has(field));
  const isName = headings === undefined || (name !== undefined && formsIn(name) >= MIN_FORMS);
  if (name !== undefined && !hasName && isName) columns.set("name", name.column);
  const others = texts.filter(
    (text) => text.column !== columns.get("name") && shareOf(text.values, CITY) >= MIN_SHARE,
  );
  const city =
    others.find(({ column }) => column - 1 === columns.get("postalCode")) ??
    (headings === undefined && others.length === 1 ? others[0] : undefined);
  if (city !== undefined && !columns.has("city")) columns.set("city", city.column);
  return columns;
}

const formsIn = ({ values }: Values) => shareOf(values, LEGAL_FORM);

/** Whether values are KVK numbers, which most numbers of debtors are not: numbers from 50000000 on have a check digit. */
function isKvkColumn(values: readonly string[], heading: string): boolean {
  if (isOtherHeading(heading)) return false;
  const checked = values.filter(isKvkNumber).filter((number) => number >= "50000000");
  const { fitting, whole, dates } = kvkShares(values);
  const isLikely = REGISTER.test(heading) || 2 * checked.filter(passesKvkCheck).length > checked.length;
  return fitting >= MIN_SHARE && whole >= MIN_WHOLE && dates < MAX_DATES && isLikely;
}

function formOf(values: readonly string[]): CsvField | undefined {
  return FORMS.find(([, form]) => shareOf(values, form) >= MIN_SHARE)?.[0];
}

function shareOf(values: readonly string[], form: RegExp): number {
  return values.filter((text) => form.test(text)).length / Math.max(1, values.length);
}
