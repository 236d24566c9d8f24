import { JOB_BOUNDS } from "../contract/jobs.ts";
import { isJsonObject } from "../lib/values.ts";
import { type RowReader, rowReader } from "../match/rowQueries.ts";
import { checkWidth, jsonOn, type ListCollector, type ReceivedList } from "./listCollector.ts";
import { invalidList, listTooLarge } from "./listErrors.ts";
import { checkRow, invalidRow, type MatchRow, packRow } from "./matchRow.ts";

/** Objects usually have the same fields. */
const MAX_READERS = 100;
const MAX_SHOWN_COLUMNS = 20;
const MAX_SHOWN_LENGTH = 40;

/** Collects rows to match. Every row is an item, also an equal one. */
export class RowCollector implements ListCollector {
  readonly hasTexts = true;
  readonly #rows: string[] = [];
  /** Readers of objects, by their field names. */
  readonly #readers = new Map<string, RowReader | undefined>();
  #ofTable: RowReader | undefined;
  #payable = 0;

  /** A line is an object with fields as the columns of a table, or a name as a JSON string. */
  addLine(text: string, line: number): void {
    const value = jsonOn(text, line);
    if (typeof value === "string") {
      this.#add((row) => checkRow(row, { sent: { name: value } }));
      return;
    }
    if (!isJsonObject(value)) {
      throw invalidList(
        `line ${line} must be a JSON object, such as {"name":"Bakkerij De Gouden Korenaar","city":"Amsterdam"}, or a name as a JSON text`,
      );
    }
    const fields = Object.keys(value);
    const read = this.#readerOf(fields);
    // A file with unknown fields is refused; a later line that lacks them is an invalid row.
    if (read === undefined && this.#rows.length === 0) throw notRecognised("field", "the first line", fields);
    const texts = Object.values(value).map(textOf);
    const nested = texts.indexOf(undefined);
    this.#add((row) => {
      if (nested !== -1) return invalidRow(row, `the field ${shown(fields[nested])} must be a text`);
      const cells = texts.map((cell) => cell ?? "");
      return checkRow(row, read === undefined ? { sent: {} } : read(cells));
    });
  }

  readHeader(header: readonly string[], line: number): void {
    checkWidth(header, line, "columns");
    this.#ofTable = rowReader(header);
    if (this.#ofTable === undefined) throw notRecognised("column", "the first row", header);
  }

  addCells(cells: readonly string[]): void {
    const read = this.#ofTable;
    if (read === undefined) throw new Error("a row was read before the header");
    this.#add((row) => checkRow(row, read(cells)));
  }

  result(): ReceivedList {
    if (this.#rows.length === 0) throw invalidList("the list is empty: send at least one row");
    return { numbers: this.#rows, sent: this.#rows.length, payable: this.#payable };
  }

  #add(read: (row: number) => MatchRow): void {
    if (this.#rows.length >= JOB_BOUNDS.maxNumbers) throw listTooLarge(`${JOB_BOUNDS.maxNumbers} rows`);
    const row = read(this.#rows.length + 1);
    this.#rows.push(packRow(row));
    if ("query" in row) this.#payable += 1;
  }

  #readerOf(fields: readonly string[]): RowReader | undefined {
    const key = JSON.stringify(fields);
    if (this.#readers.has(key)) return this.#readers.get(key);
    const read = rowReader(fields);
    if (this.#readers.size < MAX_READERS) this.#readers.set(key, read);
    return read;
  }
}

/** Returns a JSON value as the cell of a table; undefined for an object or an array. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value === null || typeof value === "boolean") return "";
  return typeof value === "number" ? String(value) : undefined;
}

function notRecognised(unit: string, place: string, names: readonly string[]) {
  const found = names.slice(0, MAX_SHOWN_COLUMNS).map(shown).join(", ");
  const more = names.length > MAX_SHOWN_COLUMNS ? ` and ${names.length - MAX_SHOWN_COLUMNS} more` : "";
  return invalidList(
    `${place} has no ${unit} with a name, a number or an address; it has ${found}${more}. Name the ${unit}s, for example name, city, postalCode, street, houseNumber, kvkNumber, rsin, vatNumber, website`,
  );
}

function shown(name = ""): string {
  const text = name.toWellFormed();
  return JSON.stringify(text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text);
}
