import type { Span } from "../../snapshot/incoming/factsSpans.ts";
import { areDigits, isDigit } from "./lineForms.ts";

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const CLOSE_OBJECT = 0x7d;
const MOST_DIGITS = 15;

const TRUE: Uint8Array = Buffer.from("true");
const FALSE: Uint8Array = Buffer.from("false");

/** With what white space and control characters above 0x7f begin in UTF-8. */
const BEGIN_BLANKS: readonly number[] = [0xc2, 0xd8, 0xe1, 0xe2, 0xe3, 0xef];

/** What ends a text or may not stand in it as it is, and what is to be looked at. */
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= SPACE || byte === QUOTE || byte === 0x5c || byte === 0x7f || BEGIN_BLANKS.includes(byte) ? 1 : 0,
);

/** What follows a field of an object, or one that it does not have. */
export const GOES_ON = 0;
export const ENDED = 1;
export const BROKEN = 2;
export type FieldOutcome = typeof GOES_ON | typeof ENDED | typeof BROKEN;

/** A place in the bytes of compact JSON, and what comes next there. */
export class JsonCursor {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  /** All bytes of texts that were passed, by "or". */
  letters = 0;

  /** Whether some bytes come next: then they are passed. */
  is(bytes: Uint8Array): boolean {
    const own = this.bytes;
    const at = this.at;
    for (let nth = 0; nth < bytes.length; nth++) if (own[at + nth] !== bytes[nth]) return false;
    this.at = at + bytes.length;
    return true;
  }

  byte(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  boolean(): boolean | undefined {
    if (this.is(TRUE)) return true;
    return this.is(FALSE) ? false : undefined;
  }

  /** A text that is not empty, in which nothing is escaped and nothing is to be tidied. */
  text(span: Span): boolean {
    const bytes = this.bytes;
    let at = this.at;
    if (bytes[at++] !== QUOTE) return false;
    span.from = at;
    let letters = this.letters;
    let byte = bytes[at] ?? 0;
    while (STOPS[byte] === 0 || this.#mayStand(at, span.from)) {
      letters |= byte;
      byte = bytes[++at] ?? 0;
    }
    this.letters = letters;
    span.to = at;
    this.at = at + 1;
    return byte === QUOTE && at > span.from;
  }

  /** Of a byte at which a text may stop: whether it goes on, as this is a single space within it or the beginning of a letter. */
  #mayStand(at: number, from: number): boolean {
    const after = this.bytes[at + 1] ?? 0;
    switch (this.bytes[at]) {
      case SPACE:
        return at > from && after !== SPACE && after !== QUOTE;
      case 0xc2:
        return after > 0xa0 && after !== 0xad;
      case 0xd8:
        return after !== 0x9c;
      case 0xe1:
        return after !== 0x9a && after !== 0xa0;
      case 0xe2: {
        // U+2010 to U+2027, the dashes and quotation marks, stand among the spaces.
        const last = this.bytes[at + 2] ?? 0;
        return after > 0x81 || (after === 0x80 && last >= 0x90 && last <= 0xa7);
      }
      case 0xe3:
        return after !== 0x80;
      case 0xef:
        return after !== 0xbb;
      default:
        return false;
    }
  }

  digits(span: Span, count: number): boolean {
    if (!this.text(span) || span.to - span.from !== count) return false;
    return areDigits(this.bytes, span.from, span.to);
  }

  /** A whole number, written as JSON writes it again. */
  whole(span: Span): boolean {
    const bytes = this.bytes;
    let at = this.at;
    span.from = at;
    while (isDigit(bytes[at] ?? 0)) at++;
    span.to = at;
    this.at = at;
    const digits = at - span.from;
    return digits > 0 && digits <= MOST_DIGITS && (digits === 1 || bytes[span.from] !== ZERO);
  }

  /** A field of an object that may not have it. */
  textField(key: Uint8Array, span: Span): FieldOutcome {
    if (!this.is(key)) return GOES_ON;
    return this.text(span) ? this.afterField() : BROKEN;
  }

  wholeField(key: Uint8Array, span: Span): FieldOutcome {
    if (!this.is(key)) return GOES_ON;
    return this.whole(span) ? this.afterField() : BROKEN;
  }

  afterField(): FieldOutcome {
    const byte = this.bytes[this.at++];
    return byte === CLOSE_OBJECT ? ENDED : byte === COMMA ? GOES_ON : BROKEN;
  }
}
