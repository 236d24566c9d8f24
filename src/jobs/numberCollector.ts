import { KVK_NUMBER_HEADINGS, plainHeading, VAT_NUMBER_HEADINGS } from "../contract/headings.ts";
import { JOB_BOUNDS, type UsedColumns } from "../contract/jobs.ts";
import { kvkDigitsOf } from "../contract/kvkNumberText.ts";
import { isKvkNumber } from "../contract/numbers.ts";
import { isJsonObject, isUnprintable, known } from "../lib/values.ts";
import { parseVatQuery } from "../lookup/vatQuery.ts";
import { usedColumns } from "../match/usedColumns.ts";
import {
  checkWidth,
  jsonOn,
  type ListCollector,
  MAX_COLUMNS,
  MAX_LINE_BYTES,
  type ReceivedList,
} from "./listCollector.ts";
import { invalidList, listTooLarge } from "./listErrors.ts";

/** Characters kept of a value, more than any notation of a number has. */
const MAX_STORED_LENGTH = 40;

/** A kind of number, and how it is found and compared. */
export interface NumberForm {
  /** The name of its column or field in errors. */
  readonly shown: string;
  /** The accepted names of the column or field (see plainHeading), the clearest first. */
  readonly names: readonly string[];
  /** Whether a number is well-formed, so that its lookup has a price. */
  readonly isWellFormed: (number: string) => boolean;
  /** A form in which two spellings of a number are equal. */
  readonly normal: (number: string) => string;
}

export const KVK_NUMBERS: NumberForm = {
  shown: "kvkNumber",
  names: [...KVK_NUMBER_HEADINGS, "number", "nummer"],
  isWellFormed: (number) => isKvkNumber(kvkDigitsOf(number)),
  normal: kvkDigitsOf,
};

export const VAT_NUMBERS: NumberForm = {
  shown: "vatNumber",
  names: [...VAT_NUMBER_HEADINGS, "number", "nummer"],
  isWellFormed: (number) => !("wrongPart" in parseVatQuery(number, undefined)),
  normal: (number) => {
    const vatQuery = parseVatQuery(number, undefined);
    return "wrongPart" in vatQuery ? number : vatQuery.number.vatNumber;
  },
};

/** Collects numbers, each once. */
export class NumberCollector implements ListCollector {
  readonly hasTexts = false;
  readonly #form: NumberForm;
  readonly #seen = new Set<string>();
  readonly #numbers: string[] = [];
  #column = 0;
  #columns: UsedColumns | undefined;
  #sent = 0;
  #payable = 0;
  /** Of the first item that could not be read. */
  #problem: string | undefined;
  #hasReadable = false;

  constructor(form: NumberForm) {
    this.#form = form;
  }

  /** A line is a JSON string, or an object with a field for the number. */
  addLine(text: string, line: number): void {
    const value = this.#valueOf(jsonOn(text));
    const { shown } = this.#form;
    if (typeof value === "string") this.#add(value);
    else if (value === undefined) this.#addUnreadable(`line ${line} is not JSON with ${shown}`);
    else this.#addUnreadable(`line ${line}: ${shown} must be a string`);
  }

  #valueOf(line: unknown): unknown {
    if (!isJsonObject(line)) return line;
    const fields = Object.keys(line);
    const at = fields.length > MAX_COLUMNS ? -1 : this.#find(fields);
    return at < 0 ? undefined : (Object.values(line)[at] ?? "");
  }

  readHeader(header: readonly string[], line: number): void {
    checkWidth(header, line);
    this.#column = this.#find(header);
    if (this.#column >= 0) return;
    throw invalidList(`the first row must contain the column names, with a column ${this.#form.shown}`);
  }

  addCells(cells: readonly string[]): void {
    this.#add(cells[this.#column] ?? "");
  }

  addEmpty(): void {}

  addLong(cells: readonly string[], line: number): void {
    // The last cell may be cut.
    if (cells.length > this.#column + 1) this.addCells(cells);
    else this.#addUnreadable(`line ${line} is longer than ${MAX_LINE_BYTES} bytes`);
  }

  /** Returns the position of the clearest name, or -1. */
  #find(names: readonly string[]): number {
    const plain = names.map(plainHeading);
    const column = this.#form.names.map((name) => plain.indexOf(name)).find((at) => at >= 0) ?? -1;
    if (column >= 0)
      this.#columns ??= usedColumns(
        names,
        names.map((_, at) => (at === column ? this.#form.shown : undefined)),
      );
    return column;
  }

  result(): ReceivedList {
    if (this.#problem !== undefined && !this.#hasReadable)
      throw invalidList(
        `${this.#problem}. Send each number as a string, in a column or the field ${this.#form.shown}`,
      );
    if (this.#numbers.length === 0) throw invalidList("the list is empty: send at least one number");
    return {
      numbers: this.#numbers,
      sent: this.#sent,
      payable: this.#payable,
      ...known("columns", this.#columns),
    };
  }

  #add(text: string): void {
    const trimmed = text.trim();
    if (isUnprintable(trimmed, true)) this.#addUnreadable(`number ${this.#sent + 1} has a control character`);
    else {
      this.#hasReadable = true;
      this.#addText(trimmed);
    }
  }

  /** Adds an item that fails with its problem, of at most 40 characters. */
  #addUnreadable(problem: string): void {
    this.#problem ??= problem;
    this.#addText(problem);
  }

  #addText(trimmed: string): void {
    this.#sent += 1;
    // The cut may split a surrogate pair.
    const number =
      trimmed.length > MAX_STORED_LENGTH ? `${trimmed.slice(0, MAX_STORED_LENGTH).toWellFormed()}…` : trimmed;
    const normal = this.#form.normal(number);
    if (this.#seen.has(normal)) return;
    if (this.#numbers.length >= JOB_BOUNDS.maxNumbers) throw listTooLarge(`${JOB_BOUNDS.maxNumbers} numbers`);
    this.#seen.add(normal);
    this.#numbers.push(number);
    if (this.#form.isWellFormed(number)) this.#payable += 1;
  }
}
