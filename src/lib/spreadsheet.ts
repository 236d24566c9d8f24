/** CSV for spreadsheets: RFC 4180, without cells that they would run as formulas. Used by the service and its page. */

/** Byte order mark, without which Excel does not read a file as UTF-8. */
export const SPREADSHEET_START = "\ufeff";

/**
 * The signs that begin a formula, with their full-width, small, raised and lowered forms: every character whose
 * compatibility form (NFKC) begins with one (owasp.org/www-community/attacks/CSV_Injection).
 */
const SIGN =
  "[=\\u207c\\u208c\\u2a75\\u2a76\\ufe66\\uff1d+\\u207a\\u208a\\ufb29\\ufe62\\uff0b\\-\\u2212\\u207b\\u208b\\ufe63\\uff0d@\\ufe6b\\uff20]";
/** A sign, after characters that are invisible or that a spreadsheet drops. */
const FORMULA = `(?:[^\\S\\t\\r\\n]|[\\p{Cf}"])*${SIGN}`;
/**
 * A cell may be split at these by a spreadsheet whose locale, or whose user, separates columns by another character
 * than this file does.
 */
const PART = "(?<=^|[;,\\t\\r\\n])";
/** A signed number, such as an amount or a telephone number. It is no formula, and an apostrophe would make it text. */
const FIGURE = "(?! *[+-]\\d[\\d. ]*%?(?:[;,\\t\\r\\n]|$))";

const UNGUARDED = new RegExp(`${PART}${FIGURE}(?=${FORMULA})|(?<=^|[;,])(?=[\\t\\r\\n])`, "gu");
const GUARD = new RegExp(`${PART}'(?=${FORMULA})|(?<=^|[;,])'(?=[\\t\\r\\n])`, "gu");
/** A cheap first test: most cells have nothing to guard. */
const SUSPECT = new RegExp(`${SIGN}|[\\t\\r\\n]`, "u");
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** Writes one row with its line break. */
export function spreadsheetRow(cells: readonly string[]): string {
  return `${cells.map(spreadsheetCell).join(",")}\r\n`;
}

/**
 * Writes a cell, in quotes where it needs them. An apostrophe is inserted before every part that a spreadsheet could
 * run as a formula: at the start and after each `;`, `,`, tab and line break.
 */
export function spreadsheetCell(text: string): string {
  const guarded = SUSPECT.test(text) ? text.replace(UNGUARDED, "'") : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Joins the values of a list in one cell. No spreadsheet separates columns by this. */
export function listCell(values: readonly string[]): string {
  return values.join(" | ");
}

/** A value as a cell. */
export type Cell = string | number | boolean | undefined;

/** A value, or the texts of a list, as one cell. */
export function cellOf(value: Cell | readonly string[]): Cell {
  return typeof value === "object" ? listCell(value) : value;
}

/** Removes the apostrophes that {@link spreadsheetCell} added. */
export function withoutGuards(cell: string): string {
  return cell.includes("'") ? cell.replace(GUARD, "") : cell;
}
