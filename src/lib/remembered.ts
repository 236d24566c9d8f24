/**
 * A pure function of a text, of which results are remembered: of so many texts at most, and then all are forgotten. For millions of calls with texts that
 * come again and again: a cache that tells which text was used last costs more than what it saves here.
 * @param most texts of which results are kept, 1 or more
 */
export function remembered<Result>(
  most: number,
  resultOf: (text: string) => Result,
): (text: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known.result;
    if (results.size >= most) results.clear();
    const made = { result: resultOf(text) };
    results.set(text, made);
    return made.result;
  };
}
