/** On a draw the first one wins: no header has a tab or a semicolon by accident. */
const DELIMITERS = ["\t", ";", ","] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * The delimiter that the header holds most often, or the one that Excel's line `sep=;` above it names.
 * @param head how the table begins, one character a byte
 */
export function dialectOf(head: string): { delimiter: Delimiter; hasSeparatorLine: boolean } {
  const text = head.replace(/^\u00ef\u00bb\u00bf/, "");
  const declared = /^"?sep=([;,\t])"?[;,\t]*\r?\n/i.exec(text)?.[1];
  const found = DELIMITERS.find((delimiter) => delimiter === declared);
  if (found !== undefined) return { delimiter: found, hasSeparatorLine: true };
  const header = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0].replace(/"(?:[^"]|"")*"/g, "") ?? "";
  const count = (delimiter: Delimiter) => header.split(delimiter).length;
  const [best] = DELIMITERS.toSorted((a, b) => count(b) - count(a));
  return { delimiter: best ?? ",", hasSeparatorLine: false };
}
