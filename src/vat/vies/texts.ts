import type { StateCode } from "../numbers/states.ts";

/** What VIES sends for a name or an address that it does not give. */
const WITHHELD = /^(?:-+|)$/;
/** The Netherlands pads house numbers to five digits, such as `00001`. */
const PADDED = /^0+(?=[0-9]+[A-Za-z]?$)/;
const PADDED_LENGTH = 4;

/** A name as one line; undefined when VIES withholds it. */
export function readName(text: unknown): string | undefined {
  return known(linesOf(text).join(" "));
}

/** An address as one line, its lines parted by commas; undefined when VIES withholds it. */
export function readAddress(text: unknown, countryCode: StateCode): string | undefined {
  const lines = linesOf(text).filter((line) => !WITHHELD.test(line));
  return known(lines.map((line) => (countryCode === "NL" ? unpadded(line) : line)).join(", "));
}

function linesOf(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return text
    .split(/[\r\n]+/)
    .map((line) =>
      line
        .replace(/[\s\p{Cc}]+/gu, " ")
        .replace(/[ ,]+$/, "")
        .trim(),
    )
    .filter((line) => line !== "");
}

function known(line: string): string | undefined {
  return WITHHELD.test(line) ? undefined : line;
}

function unpadded(line: string): string {
  return line
    .split(" ")
    .map((word) => (word.length >= PADDED_LENGTH ? word.replace(PADDED, "") : word))
    .join(" ");
}
