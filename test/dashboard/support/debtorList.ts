/** A debtor list as bookkeeping programs export it: an Excel workbook of companies of the demo. */
import { type Cell, type WriteSheet, writeXlsx } from "hucre/xlsx";
import { demoCompanies } from "../../../src/demo/registry/generateCompanies.ts";

const WITH_NUMBER = 45;
const ROWS = 110;
const HEADINGS = [
  "Deb.nr",
  "Relatie",
  "KvK",
  "Plaats",
  "Factuurdatum",
  "Vervaldatum",
  "Bedrag",
  "Openstaand",
] as const;
/** The index of the header row, below the title and an empty row. */
export const DEBTOR_HEAD_ROW = 2;
const FIRST_ROW = DEBTOR_HEAD_ROW + 1;
const DAY_MS = 86_400_000;

/** How lists write names; `part` numbers the rows. */
const NOISE: readonly ((name: string, part: number) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `T.a.v. crediteurenadministratie ${name}`,
  (name, part) => `${10_400 + part} ${name}`,
  (name, part) => `${name} inz. factuur 2026-${String(part).padStart(4, "0")}`,
  (name) => `J. de Boer h/o ${name}`,
  (name) => `${name} - OUD`,
];

/** A row of the list. */
export interface Debtor {
  /** The name as the list writes it. */
  readonly written: string;
  readonly city?: string;
  /** The number of the company that is meant. */
  readonly kvkNumber: string;
  /** Whether the list has the number. */
  readonly hasNumber: boolean;
}

/**
 * The rows of the list, in its order: numbers in 45 of 110 rows, spread over the list, and names with noise in the
 * others.
 */
export function debtors(): Debtor[] {
  const taken = new Set<string>();
  const companies = [];
  for (const { facts } of demoCompanies()) {
    const { kvkNumber, name, isActive, address } = facts;
    // No two debtors have the same name.
    if (isActive !== true || address?.city === undefined || taken.has(name)) continue;
    taken.add(name);
    companies.push({ kvkNumber, name, city: address.city });
    if (companies.length === ROWS) break;
  }
  let named = 0;
  return companies.map(({ kvkNumber, name, city }, index) => {
    const hasNumber =
      Math.floor(((index + 1) * WITH_NUMBER) / ROWS) > Math.floor((index * WITH_NUMBER) / ROWS);
    const write = hasNumber ? undefined : NOISE[named++ % NOISE.length];
    return { written: write?.(name, index) ?? name, city, kvkNumber, hasNumber };
  });
}

/**
 * Writes the list: an explanation, the list, and a hidden sheet of choices. The list has a title over merged cells, a
 * header row with a filter, numbers with leading zeros, dates, formulas, and totals behind an empty row.
 * @param others more rows, before the totals
 */
export function debtorList(others: readonly Debtor[] = []): Promise<Uint8Array> {
  return writeXlsx({
    sheets: [
      { name: "Toelichting", rows: [["Deze lijst bevat alle openstaande posten van onze debiteuren."]] },
      listSheet([...debtors(), ...others]),
      {
        name: "Keuzelijst",
        hidden: true,
        rows: [
          ["Naam", "Plaats"],
          ["Kies een relatie", "Kies een plaats"],
        ],
      },
    ],
  });
}

function listSheet(all: readonly Debtor[]): WriteSheet {
  const cells = new Map<string, Partial<Cell>>();
  const bold: NonNullable<Cell["style"]> = {
    font: { bold: true },
    fill: { type: "pattern", pattern: "solid", fgColor: { rgb: "D9E2F3" } },
  };
  for (const [column, value] of HEADINGS.entries())
    cells.set(`${DEBTOR_HEAD_ROW},${column}`, { value, style: bold });
  cells.set("0,0", { value: "Openstaande posten per 28-02-2026", style: { font: { bold: true, size: 16 } } });
  let total = 0;
  const rows = all.map(({ written, city, kvkNumber, hasNumber }, index) => {
    const [at, row] = [FIRST_ROW + index, FIRST_ROW + index + 1];
    const dateMs = Date.UTC(2026, 0, 1 + (index % 28));
    const amount = 100 + index * 12.5;
    total += amount;
    cells.set(`${at},0`, { value: index + 40, style: { numFmt: "00000" } });
    cells.set(`${at},4`, { value: new Date(dateMs), style: { numFmt: "dd-mm-yyyy" } });
    cells.set(`${at},5`, {
      formula: `E${row}+30`,
      formulaResult: dateMs / DAY_MS + 25_569 + 30,
      style: { numFmt: "dd-mm-yyyy" },
    });
    cells.set(`${at},6`, { value: amount, style: { numFmt: "#,##0.00" } });
    cells.set(`${at},7`, {
      formula: `IF(G${row}>500,"ja","nee")`,
      formulaResult: amount > 500 ? "ja" : "nee",
    });
    return [null, written, hasNumber ? kvkNumber : null, city ?? null];
  });
  const last = FIRST_ROW + rows.length;
  cells.set(`${last + 1},0`, { value: "Totaal", style: { font: { bold: true } } });
  cells.set(`${last + 1},6`, { formula: `SUM(G${FIRST_ROW + 1}:G${last})`, formulaResult: total });
  return {
    name: "Debiteuren",
    rows: [[], [], [], ...rows],
    cells,
    merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: HEADINGS.length - 1 }],
    autoFilter: { range: `A${DEBTOR_HEAD_ROW + 1}:H${last}` },
    freezePane: { rows: FIRST_ROW },
    columns: HEADINGS.map((_heading, column) => ({ width: column === 1 ? 40 : 14 })),
  };
}
