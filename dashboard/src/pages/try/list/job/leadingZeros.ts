/** Numbers whose format shows leading zeros, such as `00000`. */
import type { Sheet } from "hucre/xlsx";
import type { Rows } from "./table.ts";

/** Two or more zeros, with texts in quotes and separators around them. */
const ZEROS = /^(?=[^0]*0[^0]*0)(?:"[^"0]*"|[0 ()/-])+$/;

/**
 * Returns the rows with these numbers as texts, as the sheet shows them.
 * @param sample the first rows, with formats; all rows of a column are alike
 */
export function withLeadingZeros(rows: Rows, sample: Sheet | undefined): Rows {
  const formats = new Map<number, string>();
  for (const [address, { value, style }] of sample?.cells ?? []) {
    const [format = ""] = style?.numFmt?.replaceAll("\\", "").split(";", 1) ?? [];
    if (typeof value === "number" && ZEROS.test(format))
      formats.set(Number(address.split(",")[1]), format.replaceAll('"', ""));
  }
  if (formats.size === 0) return rows;
  return rows.map((row) =>
    row.map((cell, column) => {
      const format = formats.get(column);
      return format === undefined || typeof cell !== "number" ? cell : zeroFilled(cell, format);
    }),
  );
}

/** Replaces the zeros by the digits. A number with more digits, a sign or decimals has no leading zero. */
function zeroFilled(value: number, format: string): string | number {
  const places = format.replace(/[^0]/g, "").length;
  const digits = [...String(value).padStart(places, "0")];
  if (digits.length > places || !/^[0-9]+$/.test(String(value))) return value;
  return format.replaceAll("0", () => digits.shift() ?? "");
}
