import { JOB_BOUNDS, type UsedColumns } from "../contract/jobs.ts";
import { isJsonObject, type JsonObject, known } from "../lib/values.ts";
import { type RowReader, rowReader } from "../match/rowQueries.ts";
import { usedColumns } from "../match/usedColumns.ts";
import {
  checkWidth,
  jsonOn,
  type ListCollector,
  MAX_COLUMNS,
  type ReceivedList,
  TOO_LONG,
} from "./listCollector.ts";
import { invalidList, listTooLarge } from "./listErrors.ts";
import { checkRow, invalidRow, type MatchRow, packRow } from "./matchRow.ts";

/** Objects usually have the same fields. */
const MAX_READERS = 100;
const MAX_SHOWN_COLUMNS = 20;
const MAX_SHOWN_LENGTH = 40;

/** Collects rows to match. Every row is an item, even if it repeats another one. */
export class RowCollector implements ListCollector {
  readonly hasTexts = true;
  readonly #rows: string[] = [];
  /** The last row of the file that was read, empty or not. */
  #row = 0;
  /** The number of rows without the empty ones at the end. */
  #end = 0;
  /** Readers of objects, by their field names. */
  readonly #readers = new Map<string, RowReader | undefined>();
  /** The fields of objects, and what is read from each. */
  readonly #fields = new Map<string, string | undefined>();
  #columns: UsedColumns | undefined;
  #ofTable: RowReader | undefined;
  #payable = 0;
  /** Of the first row that could not be read. */
  #problem: string | undefined;
  #hasReadable = false;

  /** A line is an object with fields as the columns of a table, or a name as a JSON string. */
  addLine(text: string, line: number): void {
    const value = jsonOn(text);
    if (typeof value === "string") this.#add((row) => checkRow(row, { sent: { name: value } }));
    else if (isJsonObject(value) && Object.keys(value).length <= MAX_COLUMNS) this.#addObject(value, line);
    else
      this.#addUnreadable(
        `line ${line} must be a JSON object of at most ${MAX_COLUMNS} fields, such as {"name":"Bakkerij De Gouden Korenaar"}, or a name as a JSON string`,
      );
  }

  #addObject(value: JsonObject, line: number): void {
    const fields = Object.keys(value);
    const texts = Object.values(value).map(textOf);
    const cells = texts.map((cell) => cell ?? "");
    const read = this.#readerOf(fields, cells);
    if (read === undefined) {
      this.#problem ??= notRecognised("field", `line ${line}`, fields);
      this.#addUnreadable(`line ${line} has no field with a name, a number or an address`);
      return;
    }
    const nested = texts.indexOf(undefined);
    this.#add((row) => {
      if (nested !== -1) return invalidRow(row, `the field ${shown(fields[nested])} must be a text`);
      return checkRow(row, read(cells));
    });
  }

  readHeader(header: readonly string[], line: number, sample: readonly (readonly string[])[]): void {
    checkWidth(header, line);
    const read = rowReader(header, sample);
    if (read === undefined) throw invalidList(notRecognised("column", "the first row", header));
    this.#ofTable = read;
    this.#columns = usedColumns(header, read.fields);
  }

  addCells(cells: readonly string[]): void {
    const read = this.#ofTable;
    if (read === undefined) throw new Error("a row was read before the header");
    this.#add((row) => checkRow(row, read(cells)));
  }

  addEmpty(): void {
    this.#row += 1;
    if (this.#row > JOB_BOUNDS.maxNumbers) return;
    this.#rows.push(packRow(invalidRow(this.#row, "the row is empty")));
  }

  addLong(_cells: readonly string[], line: number): void {
    this.#addUnreadable(`line ${line} ${TOO_LONG}`);
  }

  result(): ReceivedList {
    const rows = this.#rows.slice(0, this.#end);
    if (this.#problem !== undefined && !this.#hasReadable) throw invalidList(this.#problem);
    if (rows.length === 0) throw invalidList("the list is empty: send at least one row");
    const fields = [...this.#fields];
    if (fields.length > 0)
      this.#columns = usedColumns(
        fields.map(([name]) => name),
        fields.map(([, field]) => field),
      );
    return { numbers: rows, sent: rows.length, payable: this.#payable, ...known("columns", this.#columns) };
  }

  #add(read: (row: number) => MatchRow): void {
    this.#hasReadable = true;
    this.#addRow(read);
  }

  /** Adds a row that fails with its problem. */
  #addUnreadable(problem: string): void {
    this.#problem ??= problem;
    this.#addRow((row) => invalidRow(row, problem));
  }

  #addRow(read: (row: number) => MatchRow): void {
    this.#row += 1;
    if (this.#row > JOB_BOUNDS.maxNumbers) throw listTooLarge(`${JOB_BOUNDS.maxNumbers} rows`);
    const row = read(this.#row);
    this.#rows.push(packRow(row));
    this.#end = this.#rows.length;
    if ("query" in row) this.#payable += 1;
  }

  /** @param cells the values of the first object with these fields */
  #readerOf(fields: readonly string[], cells: readonly string[]): RowReader | undefined {
    const key = JSON.stringify(fields);
    if (this.#readers.has(key)) return this.#readers.get(key);
    const read = rowReader(fields, [cells], new Map(), false);
    if (this.#readers.size >= MAX_READERS) return read;
    this.#readers.set(key, read);
    for (const [at, name] of fields.entries())
      this.#fields.set(name, read?.fields[at] ?? this.#fields.get(name));
    return read;
  }
}

/** Returns a JSON value as the cell of a table; undefined for an object or an array. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value === null || typeof value === "boolean") return "";
  return typeof value === "number" ? String(value) : undefined;
}

function notRecognised(unit: string, place: string, names: readonly string[]): string {
  const found = names.slice(0, MAX_SHOWN_COLUMNS).map(shown).join(", ");
  const more = names.length > MAX_SHOWN_COLUMNS ? ` and ${names.length - MAX_SHOWN_COLUMNS} more` : "";
  return `${place} has no ${unit} with a name, a number or an address; it has ${found}${more}. Name the ${unit}s, for example name, city, postalCode, street, houseNumber, kvkNumber, rsin, vatNumber, lei, euid, website`;
}

function shown(name = ""): string {
  const text = name.toWellFormed();
  return JSON.stringify(text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text);
}
