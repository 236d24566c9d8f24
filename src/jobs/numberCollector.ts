import { KVK_NUMBER_HEADINGS, plainHeading, VAT_NUMBER_HEADINGS } from "../contract/headings.ts";
import { JOB_BOUNDS } from "../contract/jobs.ts";
import { kvkDigitsOf } from "../contract/kvkNumberText.ts";
import { isKvkNumber } from "../contract/numbers.ts";
import { isJsonObject, isUnprintable } from "../lib/values.ts";
import { parseVatQuery } from "../lookup/vatQuery.ts";
import { checkWidth, jsonOn, type ListCollector, type ReceivedList } from "./listCollector.ts";
import { invalidList, listTooLarge } from "./listErrors.ts";

/** Characters kept of a value, more than any notation of a number has. */
const MAX_STORED_LENGTH = 40;

export type NumberKind = "kvk" | "vat";

/** The accepted names of the column or field with the numbers (see plainHeading), and the name that errors show. */
interface NumberField {
  readonly shown: string;
  readonly names: readonly string[];
}

const FIELDS: Readonly<Record<NumberKind, NumberField>> = {
  kvk: { shown: "kvkNumber", names: [...KVK_NUMBER_HEADINGS, "number", "nummer"] },
  vat: { shown: "vatNumber", names: [...VAT_NUMBER_HEADINGS, "number", "nummer"] },
};

/** Whether a number is well-formed, so that its lookup has a price. */
export function isWellFormed(kind: NumberKind, number: string): boolean {
  return kind === "vat"
    ? !("wrongPart" in parseVatQuery(number, undefined))
    : isKvkNumber(kvkDigitsOf(number));
}

/** Collects numbers, each once. */
export class NumberCollector implements ListCollector {
  readonly hasTexts = false;
  readonly #kind: NumberKind;
  readonly #field: NumberField;
  readonly #seen = new Set<string>();
  readonly #numbers: string[] = [];
  #column = 0;
  #sent = 0;
  #payable = 0;

  constructor(kind: NumberKind) {
    this.#kind = kind;
    this.#field = FIELDS[kind];
  }

  /** A line is a JSON string, or an object with a field for the number. */
  addLine(text: string, line: number): void {
    const parsed = jsonOn(text, line);
    const value = isJsonObject(parsed)
      ? Object.entries(parsed).find(([name]) => this.#field.names.includes(plainHeading(name)))?.[1]
      : parsed;
    if (typeof value !== "string") {
      throw invalidList(
        `line ${line} must be a JSON text, such as "51234567", or an object with the field ${this.#field.shown}`,
      );
    }
    this.#add(value);
  }

  readHeader(header: readonly string[], line: number): void {
    checkWidth(header, line, "columns");
    this.#column = header.findIndex((name) => this.#field.names.includes(plainHeading(name)));
    if (this.#column >= 0) return;
    throw invalidList(`the first row must contain the column names, with a column ${this.#field.shown}`);
  }

  addCells(cells: readonly string[]): void {
    this.#add(cells[this.#column] ?? "");
  }

  result(): ReceivedList {
    if (this.#numbers.length === 0) throw invalidList("the list is empty: send at least one number");
    return { numbers: this.#numbers, sent: this.#sent, payable: this.#payable };
  }

  #add(text: string): void {
    const trimmed = text.trim();
    this.#sent += 1;
    if (isUnprintable(trimmed, true)) {
      throw invalidList(
        `number ${this.#sent} of the list has a control character or a lone surrogate; remove it`,
      );
    }
    // The cut may split a surrogate pair.
    const number =
      trimmed.length > MAX_STORED_LENGTH ? `${trimmed.slice(0, MAX_STORED_LENGTH).toWellFormed()}…` : trimmed;
    const normal = this.#normalForm(number);
    if (this.#seen.has(normal)) return;
    if (this.#numbers.length >= JOB_BOUNDS.maxNumbers) throw listTooLarge(`${JOB_BOUNDS.maxNumbers} numbers`);
    this.#seen.add(normal);
    this.#numbers.push(number);
    if (isWellFormed(this.#kind, number)) this.#payable += 1;
  }

  /** Returns a normal form in which two spellings of a number are equal. */
  #normalForm(number: string): string {
    if (this.#kind !== "vat") return kvkDigitsOf(number);
    const vatQuery = parseVatQuery(number, undefined);
    return "wrongPart" in vatQuery ? number : vatQuery.number.vatNumber;
  }
}
