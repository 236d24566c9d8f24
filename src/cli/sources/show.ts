import { styleText } from "node:util";
import type { Address, Branch, SearchItem } from "../../contract/resources.ts";
import type { Screen } from "../terminal.ts";
import type { CompanySummary } from "./source.ts";

/** No column is cut shorter than this, even on a narrow terminal. */
const MIN_WIDTH = 8;
const GAP = "  ";

/** A record of a response, one line per field. */
export function recordLines(record: object, screen: Screen): string[] {
  const rows = Object.entries(record).map(([name, value]) => [
    name,
    name === "address" && typeof value === "object" ? oneLine(value) : valueText(value),
  ]);
  return fieldLines(rows, screen);
}

/** Names and values, in two columns. */
export function fieldLines(rows: readonly (readonly string[])[], screen: Screen): string[] {
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return rows.map(
    ([name = "", value = ""]) => `${styled("dim", name.padEnd(width), screen)}${GAP}${printable(value)}`,
  );
}

export function branchRow({ branchNumber, name, isMain, isActive, address }: Branch): string[] {
  const marks = [isMain ? "main branch" : "", isActive ? "" : "ended"].filter(Boolean).join(", ");
  return [branchNumber, name ?? "", oneLine(address ?? {}), marks];
}

/** The same columns for a company as for a row of a search. */
export function companyRow({ address, ...company }: CompanySummary): string[] {
  const { postalCode = "", city = "" } = address;
  return searchRow({ ...company, postalCode, city });
}

export function searchRow(
  item: Pick<SearchItem, "kvkNumber" | "name" | "isActive" | "postalCode" | "city" | "isFuzzy"> & {
    readonly legalForm?: string;
  },
): string[] {
  const { kvkNumber, name, legalForm = "", postalCode = "", city = "" } = item;
  const marks = `${item.isActive ? "" : " (ended)"}${item.isFuzzy === true ? " (similar name)" : ""}`;
  return [kvkNumber, `${name}${marks}`, legalForm, postalCode, city];
}

/**
 * Rows in columns. On a terminal the widest column is cut until a row fits on a line, and columns that are empty in
 * every row are omitted; otherwise nothing is cut.
 */
export function tableLines(rows: readonly (readonly string[])[], screen: Screen): string[] {
  const cells = rows.map((row) => row.map(printable));
  const count = Math.max(0, ...cells.map((row) => row.length));
  const columns = Array.from({ length: count }, (_, column) => column).filter(
    (column) => screen.columns === undefined || cells.some((row) => (row[column] ?? "") !== ""),
  );
  const widths = columns.map((column) => Math.max(...cells.map((row) => lengthOf(row[column] ?? ""))));
  narrow(widths, screen.columns);
  return cells.map((row) =>
    columns
      .map((column, place) => cell(row[column] ?? "", widths[place] ?? 0, place, screen))
      .join(GAP)
      .trimEnd(),
  );
}

/** The first column identifies the row. */
function cell(text: string, width: number, place: number, screen: Screen): string {
  const letters = [...text];
  const cut = letters.length > width ? `${letters.slice(0, width - 1).join("")}…` : text;
  const padded = cut + " ".repeat(Math.max(0, width - lengthOf(cut)));
  return place === 0 ? styled("bold", padded, screen) : padded;
}

function narrow(widths: number[], columns: number | undefined): void {
  if (columns === undefined) return;
  const total = () => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  for (let excess = total() - columns; excess > 0; excess = total() - columns) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= MIN_WIDTH) return;
    widths[widths.indexOf(widest, 1)] = Math.max(MIN_WIDTH, widest - excess);
  }
}

export function styled(
  style: "bold" | "dim" | "green" | "red",
  text: string,
  { hasColours }: Screen,
): string {
  return hasColours ? styleText(style, text, { validateStream: false }) : text;
}

/** Removes control characters, which could control the terminal, because names come from elsewhere. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
}

function lengthOf(text: string): number {
  return [...text].length;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(valueText).join("; ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return value.toLocaleString("en");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name} ${valueText(part)}`)
    .join(", ");
}

export function oneLine({ street, houseNumber, postalCode, city, country, isShielded }: Address): string {
  const parts = [
    [street, houseNumber].filter((part) => part !== undefined).join(" "),
    [postalCode, city].filter((part) => part !== undefined).join(" "),
    country,
    isShielded === true ? "(shielded)" : undefined,
  ];
  return parts.filter(Boolean).join(", ") || "unknown";
}
