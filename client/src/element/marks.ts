/** A piece of text, and whether it matches the query. */
export type Piece = readonly [text: string, isMatch: boolean];

/** Removes case and accents, like the search. One letter may become several, or none. */
const folded = (letter: string) => letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Splits text into pieces and marks the beginnings of words that match a typed word. */
export function marked(text: string, query: string): Piece[] {
  const words = folded(query).match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = [...text.normalize()];
  const isMatch = letters.map(() => false);
  for (const [start] of letters.entries()) {
    if (start > 0 && /[\p{L}\p{N}\p{M}]/u.test(letters[start - 1] ?? "")) continue;
    for (const word of words) {
      let end = start;
      for (let read = ""; end < letters.length && read.length < word.length && word.startsWith(read); end++) {
        read += folded(letters[end] ?? "");
        if (read.startsWith(word)) isMatch.fill(true, start, end + 1);
      }
    }
  }
  const pieces: [string, boolean][] = [];
  for (const [index, letter] of letters.entries()) {
    const last = pieces.at(-1);
    const is = isMatch[index] === true;
    if (last?.[1] === is) last[0] += letter;
    else pieces.push([letter, is]);
  }
  return pieces;
}
