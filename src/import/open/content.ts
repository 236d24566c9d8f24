/** Recognises a file by its first bytes, whatever its name. */

export type Content =
  | { readonly kind: "gzip" | "zip" | "text" | "empty" }
  /** A description of the file, and what to do about it. */
  | { readonly kind: "unusable"; readonly what: string; readonly advice: string };

/** As many first bytes as {@link recognise} looks at. */
export const HEAD_BYTES = 4096;

const UNPACK = "Unpack it first, or compress it with gzip or zip.";
const MAGIC: readonly (readonly [prefix: string, what: string, advice: string])[] = [
  ["%PDF-", "a PDF document", "Ask for the data as CSV or JSON."],
  ["BZh", "a bzip2 archive", UNPACK],
  ["\xfd7zXZ", "an xz archive", UNPACK],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK],
  ["Rar!", "a RAR archive", UNPACK],
  ["\x28\xb5\x2f\xfd", "a Zstandard archive", UNPACK],
  ["PAR1", "a Parquet file", "Convert it to CSV."],
  ["SQLite format 3", "an SQLite database", "Export the table to CSV."],
  ["\xd0\xcf\x11\xe0", "an old Office document", "Save the sheet as CSV (UTF-8)."],
  ["\xff\xfe", "text in UTF-16", "Save it as UTF-8 (in a spreadsheet: “CSV UTF-8”)."],
  ["\xfe\xff", "text in UTF-16", "Save it as UTF-8 (in a spreadsheet: “CSV UTF-8”)."],
];

/** @param head the first {@link HEAD_BYTES} bytes, or all when there are fewer */
export function recognise(head: Buffer): Content {
  if (head.length === 0) return { kind: "empty" };
  const prefix = head.subarray(0, 16).toString("latin1");
  if (prefix.startsWith("\x1f\x8b")) return { kind: "gzip" };
  if (/^PK(\x03\x04|\x05\x06|\x07\x08)/.test(prefix)) return { kind: "zip" };
  for (const [magic, what, advice] of MAGIC) {
    if (prefix.startsWith(magic)) return { kind: "unusable", what, advice };
  }
  if (head.subarray(257, 262).toString("latin1") === "ustar") {
    return {
      kind: "unusable",
      what: "a tar archive",
      advice: "Unpack it and import the file that it holds.",
    };
  }
  if (head.includes(0)) {
    return { kind: "unusable", what: "binary data", advice: "An import reads text: CSV or JSON in UTF-8." };
  }
  // No format of ours begins with "<": it is the web page of a download that went wrong, or XML.
  if (/^(\xef\xbb\xbf)?\s*</.test(head.subarray(0, 256).toString("latin1"))) {
    return {
      kind: "unusable",
      what: "an HTML page or XML",
      advice: "Look at it in an editor: it may be an error page saved instead of the file.",
    };
  }
  return { kind: "text" };
}
