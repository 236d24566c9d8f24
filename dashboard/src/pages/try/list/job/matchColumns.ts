/** Recognises the columns that describe a company: by their headings, as imports do, otherwise by their values. */
import { type CsvField, findColumns } from "../../../../../../src/company/table/columns.ts";
import { MAX_ABOVE } from "./kvkColumn.ts";
import { type FoundColumns, MATCH_FIELDS, type MatchColumns, type MatchField } from "./source.ts";
import { isEmptyRow, type Rows, textOf, widthOf } from "./table.ts";

/** Columns that are used as the name if there is no better one. */
const OTHER_NAMES: readonly CsvField[] = ["statutoryName", "tradingNames"];
/** A header row has at least one of these headings. */
const DECIDING: readonly CsvField[] = [
  "name",
  ...OTHER_NAMES,
  "address",
  "postalCode",
  "rsin",
  "vatNumber",
  "kvkNumber",
];
const SAMPLE = 200;
/** The minimum share of the values of a column that have the form of a field. */
const MIN_SHARE = 0.6;
const FORMS: readonly (readonly [MatchField, RegExp])[] = [
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

/** @param kvkColumn the column with KVK numbers, if any */
export function findMatchColumns(rows: Rows, kvkColumn: number | undefined): FoundColumns {
  for (const [headRow, row] of rows.slice(0, MAX_ABOVE).entries()) {
    const columns = columnsNamed(row.map(textOf));
    if (columns !== undefined) return { columns: withKvk(columns, kvkColumn), headRow };
  }
  return { columns: withKvk(columnsLike(rows, kvkColumn), kvkColumn), headRow: undefined };
}

function withKvk(columns: MatchColumns, kvkColumn: number | undefined): MatchColumns {
  return kvkColumn === undefined ? columns : { ...columns, kvkNumber: kvkColumn };
}

function columnsNamed(titles: readonly string[]): MatchColumns | undefined {
  const found = findColumns(titles, new Map());
  if ("missing" in found || !DECIDING.some((field) => found.has(field))) return undefined;
  const fields = MATCH_FIELDS.flatMap((field) => {
    const column = found.get(field);
    return column === undefined ? [] : [[field, column] as const];
  });
  const other = OTHER_NAMES.map((field) => found.get(field)).find((column) => column !== undefined);
  return { ...(other !== undefined && { name: other }), ...Object.fromEntries(fields) };
}

/** Recognises columns by their values. A single column of texts has the names. */
function columnsLike(rows: Rows, kvkColumn: number | undefined): MatchColumns {
  const body = rows.filter((row) => !isEmptyRow(row)).slice(0, SAMPLE);
  let columns: MatchColumns = {};
  const texts: { column: number; values: readonly string[] }[] = [];
  for (let column = 0; column < widthOf(body); column += 1) {
    const values = body.map((row) => textOf(row[column]).trim()).filter((text) => text !== "");
    if (column === kvkColumn || values.length === 0) continue;
    const field = FORMS.find(
      ([name, form]) => columns[name] === undefined && shareOf(values, form) >= MIN_SHARE,
    )?.[0];
    if (field !== undefined) columns = { ...columns, [field]: column };
    else if (shareOf(values, WORDS) >= MIN_SHARE) texts.push({ column, values });
  }
  const [name] = texts.toSorted(
    (one, two) => shareOf(two.values, LEGAL_FORM) - shareOf(one.values, LEGAL_FORM),
  );
  const others = texts.filter((text) => text !== name && shareOf(text.values, CITY) >= MIN_SHARE);
  const city =
    others.find(({ column }) => column - 1 === columns.postalCode) ??
    (others.length === 1 ? others[0] : undefined);
  return {
    ...columns,
    ...(name !== undefined && { name: name.column }),
    ...(city !== undefined && { city: city.column }),
  };
}

function shareOf(values: readonly string[], form: RegExp): number {
  return values.filter((text) => form.test(text)).length / values.length;
}
