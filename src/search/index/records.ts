import { LEGAL_FORM_CODES, type LegalForm } from "../../contract/legalForms.ts";
import { RankClasses } from "./rankClasses.ts";
import type { Sections } from "./sections.ts";
import { SharedTexts } from "./sharedTexts.ts";

/** Of a name: whether it is its company's own, and whether the company has no other. */
export const NAME_FLAGS = { own: 1, only: 2 } as const;

/** In one byte: the flags of a name, and above them the number of its company's legal form. */
const FLAG_BITS = 2;

export function recordMark(flags: number, form: number): number {
  return (form << FLAG_BITS) | flags;
}

/** The number that stands for a legal form in a column; 0 for none. */
export function formNumber(form: LegalForm | undefined): number {
  return form === undefined ? 0 : LEGAL_FORM_CODES.indexOf(form) + 1;
}

/** The displayed facts of a name and its company, in columns by rank: no row needs to be read. */
export class Records {
  readonly classes: RankClasses;
  readonly cities: SharedTexts;
  readonly postalCodes: SharedTexts;
  readonly #kvk: Uint32Array;
  readonly #marks: Uint8Array;
  readonly #texts: Buffer;
  readonly #textStarts: Uint32Array;

  constructor(sections: Sections) {
    this.classes = new RankClasses(sections);
    this.cities = new SharedTexts(sections, "cities");
    this.postalCodes = new SharedTexts(sections, "postal");
    this.#kvk = sections.u32("records.kvk");
    this.#marks = sections.bytes("records.marks");
    this.#texts = sections.bytes("texts.bytes");
    this.#textStarts = sections.u32("texts.starts");
  }

  kvk(rank: number): number {
    return this.#kvk[rank] ?? 0;
  }

  /** A name for display. */
  text(rank: number): string {
    return this.#texts.toString("utf8", this.#textStarts[rank], this.#textStarts[rank + 1]);
  }

  isOwn(rank: number): boolean {
    return ((this.#marks[rank] ?? 0) & NAME_FLAGS.own) !== 0;
  }

  /** Whether a name's company has no other name. */
  isOnly(rank: number): boolean {
    return ((this.#marks[rank] ?? 0) & NAME_FLAGS.only) !== 0;
  }

  isActive(rank: number): boolean {
    return rank < this.classes.activeNames;
  }

  form(rank: number): LegalForm | undefined {
    const number = this.formNumber(rank);
    return number === 0 ? undefined : LEGAL_FORM_CODES[number - 1];
  }

  formNumber(rank: number): number {
    return (this.#marks[rank] ?? 0) >>> FLAG_BITS;
  }
}
