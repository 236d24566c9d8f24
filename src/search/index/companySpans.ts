import type { KvkNumber } from "../../contract/numbers.ts";
import { type Findable, sizeOf } from "../names.ts";
import { textAt } from "./bytes.ts";
import { GrowingBytes } from "./growing.ts";
import { formNumber } from "./records.ts";

/** A company as the index needs to know it. */
export interface IndexedCompany extends Findable {
  readonly kvkNumber: KvkNumber;
  readonly isActive: boolean;
}

/** The same by where its texts stand in bytes (UTF-8); a text that is not there ends where it begins. */
export interface CompanySpans {
  bytes: Uint8Array;
  kvk: number;
  isActive: boolean;
  /** Its own name, then the others: of each where it begins and where it ends. */
  readonly names: number[];
  cityFrom: number;
  cityTo: number;
  postalFrom: number;
  postalTo: number;
  /** See {@link formNumber}. */
  form: number;
  readonly sbiCodes: string[];
  /** People or branches, whichever are more. */
  size: number;
}

export function emptySpans(bytes: Uint8Array): CompanySpans {
  return {
    bytes,
    kvk: 0,
    isActive: false,
    names: [],
    cityFrom: 0,
    cityTo: 0,
    postalFrom: 0,
    postalTo: 0,
    form: 0,
    sbiCodes: [],
    size: 0,
  };
}

/** Writes the texts of companies down as bytes, one company after the other. */
export class SpansOfTexts {
  readonly #bytes = new GrowingBytes();
  readonly #spans = emptySpans(this.#bytes.array);

  /** The spans of a company: they hold until those of the next one are made. */
  of(company: IndexedCompany): CompanySpans {
    const { name, statutoryName, tradingNames = [], city, postalCode, activities = [] } = company;
    const [bytes, spans] = [this.#bytes, this.#spans];
    bytes.length = 0;
    spans.kvk = Number(company.kvkNumber);
    spans.isActive = company.isActive;
    spans.names.length = 0;
    this.#addName(name);
    if (statutoryName !== undefined) this.#addName(statutoryName);
    for (const one of tradingNames) this.#addName(one);
    spans.cityFrom = bytes.length;
    if (city !== undefined) bytes.write(city);
    spans.cityTo = bytes.length;
    spans.postalFrom = bytes.length;
    if (postalCode !== undefined) bytes.write(postalCode);
    spans.postalTo = bytes.length;
    spans.form = formNumber(company.legalForm);
    spans.sbiCodes.length = 0;
    for (const { sbiCode } of activities) spans.sbiCodes.push(sbiCode);
    spans.size = sizeOf(company);
    spans.bytes = bytes.array;
    return spans;
  }

  #addName(name: string): void {
    this.#spans.names.push(this.#bytes.length);
    this.#bytes.write(name);
    this.#spans.names.push(this.#bytes.length);
  }
}

/** @param places of each text where it begins and where it ends */
export function textsAt(bytes: Uint8Array, places: readonly number[]): string[] {
  const texts: string[] = [];
  for (let nth = 0; nth < places.length; nth += 2) {
    texts.push(textAt(bytes, places[nth] ?? 0, places[nth + 1] ?? 0));
  }
  return texts;
}
