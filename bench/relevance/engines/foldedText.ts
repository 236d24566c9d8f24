/**
 * What is done to names and queries of every other engine, as their guides advise: small letters without accents, and
 * abbreviations without dots.
 */
export function foldedText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(?<![\p{L}\p{N}])(\p{L})\./gu, "$1")
    .toLowerCase();
}
