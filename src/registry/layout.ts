/** "OPZK", in the header field that SQLite reserves for it. */
export const APPLICATION_ID = 0x4f505a4b;
/** Increase with every change of the layout. Files with another layout are rejected. */
export const LAYOUT_VERSION = 3;

/**
 * The columns of a company, of one origin or merged. The key is the KVK number as an integer, so a lookup is one
 * descent. For `flags` see codec.ts. `rest` and `branches` contain the fields of an enriched lookup as compact JSON.
 * They come last, because a basic lookup does not read them.
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

/** A table of facts in order of arrival. */
export const arrivalTable = (name: string) =>
  `CREATE TABLE ${name} (arrival INTEGER PRIMARY KEY, kvk INTEGER NOT NULL, ${afterKey})`;

/** A table of the rows of each origin, for companies with several origins. */
export const factsTable = (name: string) =>
  `CREATE TABLE ${name} (kvk INTEGER NOT NULL, ${afterKey}, PRIMARY KEY (kvk, origin)) WITHOUT ROWID`;

export function rowTables(schema: string): string {
  return `${companyTable(`${schema}.company`)}; ${factsTable(`${schema}.facts`)}`;
}

/**
 * Creates the tables of a layer. Its name index is a separate file; see names/.
 * - `company`: the merged row of each company.
 * - `facts`: the rows of each origin, for companies with several origins, so that a later import can merge again.
 * - `origin`, `activity`: texts that many companies share, by their number.
 * - `meta`: counts, and as the last row that is written `complete`.
 */
export const CREATE_TABLES = `
  ${rowTables("main")};
  CREATE TABLE origin (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE activity (id INTEGER PRIMARY KEY, code TEXT NOT NULL, description TEXT);
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
`;
