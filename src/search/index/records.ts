import { LEGAL_FORM_CODES, type LegalForm } from "../../contract/legalForms.ts";
import { RankClasses } from "./rankClasses.ts";
import type { Sections } from "./sections.ts";
import { SharedTexts } from "./sharedTexts.ts";

/** Flags of a name: it is its company's main name; the company has no other name. */
export const NAME_FLAGS = { main: 1, only: 2 } as const;

/** A mark is one byte: flags in the low bits, the number of the legal form above them. */
const FLAG_BITS = 2;

export function recordMark(flags: number, legalForm: number): number {
  return (legalForm << FLAG_BITS) | flags;
}

/** Returns the number of a legal form in a column; 0 for none. */
export function legalFormNumber(legalForm: LegalForm | undefined): number {
  return legalForm === undefined ? 0 : LEGAL_FORM_CODES.indexOf(legalForm) + 1;
}

/**
 * Returns the column value of a house number, from its first digits only: `17` and `17M` have the same. Few numbers
 * share a value.
 * @returns 0 for none
 */
export function houseNumberByte(houseNumber: string | undefined): number {
  const [digits] = /[0-9]{1,9}/.exec(houseNumber ?? "") ?? [];
  return digits === undefined ? 0 : 1 + (Number(digits) % 255);
}

/** The facts of a hit for display, as columns by rank. */
export class Records {
  readonly classes: RankClasses;
  readonly cities: SharedTexts;
  readonly postalCodes: SharedTexts;
  readonly #kvk: Uint32Array;
  readonly #marks: Uint8Array;
  readonly #houses: Uint8Array;
  readonly #texts: Buffer;
  readonly #textStarts: Uint32Array;

  constructor(sections: Sections) {
    this.classes = new RankClasses(sections);
    this.cities = new SharedTexts(sections, "cities");
    this.postalCodes = new SharedTexts(sections, "postal");
    this.#kvk = sections.u32("records.kvk");
    this.#marks = sections.bytes("records.marks");
    this.#houses = sections.bytes("records.houses");
    this.#texts = sections.bytes("texts.bytes");
    this.#textStarts = sections.u32("texts.starts");
  }

  kvk(rank: number): number {
    return this.#kvk[rank] ?? 0;
  }

  text(rank: number): string {
    return this.#texts.toString("utf8", this.#textStarts[rank], this.#textStarts[rank + 1]);
  }

  isMainName(rank: number): boolean {
    return ((this.#marks[rank] ?? 0) & NAME_FLAGS.main) !== 0;
  }

  /** Whether a name's company has no other name. */
  isOnlyName(rank: number): boolean {
    return ((this.#marks[rank] ?? 0) & NAME_FLAGS.only) !== 0;
  }

  isActive(rank: number): boolean {
    return rank < this.classes.activeNames;
  }

  legalForm(rank: number): LegalForm | undefined {
    const number = this.formNumber(rank);
    return number === 0 ? undefined : LEGAL_FORM_CODES[number - 1];
  }

  formNumber(rank: number): number {
    return (this.#marks[rank] ?? 0) >>> FLAG_BITS;
  }

  /** See {@link houseNumberByte}; 0 except for main names. */
  house(rank: number): number {
    return this.#houses[rank] ?? 0;
  }
}
