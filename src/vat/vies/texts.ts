import type { StateCode } from "../numbers/states.ts";

/** What VIES sends for a name or an address that it does not give. */
const WITHHELD = /^(?:-+|)$/;
/** The Netherlands pads house numbers to five digits, such as `00001`; an addition may follow: `00012A`, `00012-3`. */
const PADDED = /^0[0-9]{3}/;

/** A name as one line; undefined when VIES withholds it. */
export function readName(text: unknown): string | undefined {
  return known(linesOf(text).join(" "));
}

/** An address as one line, its lines parted by commas; undefined when VIES withholds it. */
export function readAddress(text: unknown, countryCode: StateCode): string | undefined {
  const lines = linesOf(text);
  return known(lines.map((line) => (countryCode === "NL" ? unpadded(line) : line)).join(", "));
}

function linesOf(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return text
    .split(/[\r\n]+/)
    .map((line) =>
      line
        .replace(/[\s\p{Cc}]+/gu, " ")
        // What a register leaves out of its form: an empty part between two commas, or at an end.
        .replace(/,(?: ?,)+/g, ",")
        .replace(/^[ ,]+|[ ,]+$/g, ""),
    )
    .filter((line) => !WITHHELD.test(line));
}

function known(line: string): string | undefined {
  return WITHHELD.test(line) ? undefined : line;
}

function unpadded(line: string): string {
  return line
    .split(" ")
    .map((result) => (PADDED.test(result) ? result.replace(/^0+(?=[0-9])/, "") : result))
    .join(" ");
}
