import { styleText } from "node:util";
import type { Address, Branch, SearchItem } from "../../contract/resources.ts";
import type { Screen } from "../command.ts";
import type { SomeCompany } from "./answers.ts";

/** No column is cut shorter than this, however narrow the terminal is. */
const LEAST_WIDTH = 8;
const GAP = "  ";

/** A company as lines, one a field, and one a branch where those were asked for. */
export function companyLines(company: SomeCompany, branches: readonly Branch[], screen: Screen): string[] {
  const { address, source, ...fields } = company;
  const rows = Object.entries(fields).map(([name, value]): [string, string] => [name, show(value)]);
  rows.push(["address", oneLine(address)]);
  if (source !== undefined) rows.push(["source", `${source.kvk}, data of ${source.cachedAt}`]);
  for (const branch of branches) {
    const [branchNumber, ...told] = branchRow(branch);
    rows.push([`branch ${branchNumber}`, told.filter(Boolean).join("; ")]);
  }
  return fieldLines(rows, screen);
}

/** Names of fields and what they hold, in two columns. */
export function fieldLines(rows: readonly (readonly [string, string])[], screen: Screen): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${faint(name.padEnd(width), screen)}${GAP}${plain(value)}`);
}

export function branchRow({ branchNumber, name, isMain, isActive, address }: Branch): string[] {
  const marks = [isMain ? "main branch" : "", isActive ? "" : "ended"].filter(Boolean).join(", ");
  return [branchNumber, name ?? "", oneLine(address ?? {}), marks];
}

export function searchRow({
  kvkNumber,
  name,
  legalForm,
  postalCode,
  city,
  isActive,
  isFuzzy,
}: SearchItem): string[] {
  const marked = `${name}${isActive ? "" : " (ended)"}${isFuzzy === true ? " (a slip away)" : ""}`;
  return [kvkNumber, marked, legalForm ?? "", postalCode ?? "", city ?? ""];
}

export function companyRow({ kvkNumber, name, address, isActive, legalForm }: SomeCompany): string[] {
  return [
    kvkNumber,
    `${name}${isActive ? "" : " (ended)"}`,
    legalForm ?? "",
    address.postalCode ?? "",
    address.city ?? "",
  ];
}

/**
 * Rows in columns, each as wide as what it holds. On a terminal the widest column gives way until a row fits on a line; elsewhere nothing is cut.
 * A column that is empty in every row is left out there.
 */
export function tableLines(rows: readonly (readonly string[])[], screen: Screen): string[] {
  const cells = rows.map((row) => row.map(plain));
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

/** The first column is what a row is asked for by. */
function cell(text: string, width: number, place: number, screen: Screen): string {
  const letters = [...text];
  const cut = letters.length > width ? `${letters.slice(0, width - 1).join("")}…` : text;
  const padded = cut + " ".repeat(Math.max(0, width - lengthOf(cut)));
  return place === 0 && screen.hasColours ? styleText("bold", padded, { validateStream: false }) : padded;
}

function narrow(widths: number[], columns: number | undefined): void {
  if (columns === undefined) return;
  const whole = () => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  for (let excess = whole() - columns; excess > 0; excess = whole() - columns) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= LEAST_WIDTH) return;
    widths[widths.indexOf(widest, 1)] = Math.max(LEAST_WIDTH, widest - excess);
  }
}

function faint(text: string, { hasColours }: Screen): string {
  return hasColours ? styleText("dim", text, { validateStream: false }) : text;
}

/** A word that says how something ended, green or red. */
export function verdict(text: string, isGood: boolean, { hasColours }: Screen): string {
  return hasColours ? styleText(isGood ? "green" : "red", text, { validateStream: false }) : text;
}

/** Without what would steer the terminal: names come from elsewhere. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
}

function lengthOf(text: string): number {
  return [...text].length;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(show).join("; ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object" && value !== null) return Object.values(value).map(show).join(" ");
  return String(value);
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
