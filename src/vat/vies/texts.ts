import type { StateCode } from "../numbers/states.ts";

/** A longer name or address is unknown: no register has one. */
const MAX_TEXT_LENGTH = 2_000;
/** The text of a name or an address that VIES withholds. */
const WITHHELD = /^(?:-+|)$/;
/** The Netherlands pads house numbers to five digits, such as `00001`; an addition may follow: `00012A`, `00012-3`. */
const PADDED = /^0[0-9]{3}/;

/** A name as one line; undefined when VIES withholds it. */
export function readName(text: unknown): string | undefined {
  return known(linesOf(text).join(" "));
}

/** An address as one line, with commas between its lines; undefined when VIES withholds it. */
export function readAddress(text: unknown, countryCode: StateCode): string | undefined {
  const lines = linesOf(text);
  return known(lines.map((line) => (countryCode === "NL" ? unpadded(line) : line)).join(", "));
}

function linesOf(text: unknown): string[] {
  if (typeof text !== "string" || text.length > MAX_TEXT_LENGTH) return [];
  return text
    .split(/[\r\n]+/)
    .map((line) =>
      line
        .replace(/[\s\p{Cc}]+/gu, " ")
        // Empty parts between commas or at an end, where a register leaves something out.
        .replace(/,(?: ?,)+/g, ",")
        .replace(/^[ ,]+|(?<![ ,])[ ,]+$/g, ""),
    )
    .filter((line) => !WITHHELD.test(line));
}

function known(line: string): string | undefined {
  return WITHHELD.test(line) ? undefined : line;
}

function unpadded(line: string): string {
  return line
    .split(" ")
    .map((word) => (PADDED.test(word) ? word.replace(/^0+(?=[0-9])/, "") : word))
    .join(" ");
}
