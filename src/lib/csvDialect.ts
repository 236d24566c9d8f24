/** On a tie the first one wins: headers rarely contain a tab or a semicolon by accident. */
const DELIMITERS = ["\t", ";", ",", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * The most frequent delimiter in the header, or the one that Excel's line `sep=;` above it names.
 * @param head the beginning of the table, one character per byte
 */
export function dialectOf(head: string): { delimiter: Delimiter; hasSeparatorLine: boolean } {
  const text = head.replace(/^\u00ef\u00bb\u00bf/, "");
  const declared = /^"?sep=([;,\t|])"?[;,\t|]*\r?\n/i.exec(text)?.[1];
  const found = DELIMITERS.find((delimiter) => delimiter === declared);
  if (found !== undefined) return { delimiter: found, hasSeparatorLine: true };
  const header = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replace(/"(?:[^"]|"")*"/g, "") ?? "";
  const count = (delimiter: Delimiter) => header.split(delimiter).length;
  const [best] = DELIMITERS.toSorted((a, b) => count(b) - count(a));
  return { delimiter: best ?? ",", hasSeparatorLine: false };
}
