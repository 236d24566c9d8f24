/** CSV as spreadsheets take it: RFC 4180, and no cell that they would run as a formula. */

/** A byte order mark, without which Excel does not take a file for UTF-8. */
export const SPREADSHEET_START = "\ufeff";

/**
 * What spreadsheets take for a formula: its sign first, or behind what is not seen, and full-width and small signs as well, which
 * some of them read as their plain ones (owasp.org/www-community/attacks/CSV_Injection). Asked of the NFKC form, in which these are one.
 */
const FORMULA = /^[\t\r\n]|^[\s\p{Cf}]*[=+\-@\u2212]/u;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** One row with its line break. A cell that begins like a formula gets an apostrophe before it, which shows it as text. */
export function spreadsheetRow(cells: readonly string[]): string {
  return `${cells.map(spreadsheetCell).join(",")}\r\n`;
}

function spreadsheetCell(text: string): string {
  const guarded = FORMULA.test(text.normalize("NFKC")) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
