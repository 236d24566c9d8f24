/** "OPZK", in the header field that SQLite reserves for it. */
export const APPLICATION_ID = 0x4f505a4b;
/** Raised with every change of the layout. A file with another layout is refused. */
export const LAYOUT_VERSION = 3;

/**
 * The columns of a company as an origin gave it, or merged. The KVK number is the key, so that a lookup is one
 * descent; as a number, since eight digits with zeros before it give it back. `flags` see codec.ts; `rest` and
 * `branches` hold the fields of an enriched lookup as compact JSON. They come last: a basic lookup never reads them.
 */
export const COMPANY_COLUMNS = [
  "kvk",
  "name",
  "flags",
  "street",
  "house",
  "postal",
  "city",
  "country",
  "registered",
  "form",
  "origin",
  "asOf",
  "rest",
  "branches",
] as const;

/** For statements that read or write whole rows. */
export const COLUMNS = COMPANY_COLUMNS.join(", ");
export const VALUES = COMPANY_COLUMNS.map(() => "?").join(", ");

const afterKey = `name TEXT NOT NULL, flags INTEGER NOT NULL, street TEXT, house TEXT, postal TEXT, city TEXT,
  country TEXT, registered TEXT, form TEXT, origin INTEGER NOT NULL, asOf INTEGER NOT NULL, rest TEXT, branches TEXT`;

/** A table of companies by KVK number. */
export const companyTable = (name: string) => `CREATE TABLE ${name} (kvk INTEGER PRIMARY KEY, ${afterKey})`;

/** A table of facts in the order in which they came. */
export const arrivalTable = (name: string) =>
  `CREATE TABLE ${name} (arrival INTEGER PRIMARY KEY, kvk INTEGER NOT NULL, ${afterKey})`;

/** A table of the rows of each origin, for companies that more than one knows. */
export const factsTable = (name: string) =>
  `CREATE TABLE ${name} (kvk INTEGER NOT NULL, ${afterKey}, PRIMARY KEY (kvk, origin)) WITHOUT ROWID`;

/** The tables of a schema that hold rows. */
export function rowTables(schema: string): string {
  return `${companyTable(`${schema}.company`)}; ${factsTable(`${schema}.facts`)}`;
}

/**
 * The tables of a layer. Its index of names is a file next to it, see names/.
 * - `company`: each company once, merged.
 * - `facts`: the rows of each origin, for companies that more than one knows, so that a later import can merge again.
 * - `origin`, `activity`: texts that many companies share, by their number.
 * - `meta`: counts, and as the last row that is written `complete`.
 */
export const CREATE_TABLES = `
  ${rowTables("main")};
  CREATE TABLE origin (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE activity (id INTEGER PRIMARY KEY, code TEXT NOT NULL, description TEXT);
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
`;
