/**
 * Memoises a pure function of a text. When the limit is reached, all results are dropped. For millions of calls with
 * recurring texts, where an LRU costs more than it saves.
 * @param maxResults the maximum number of stored results, 1 or more
 */
export function memoise<Result>(
  maxResults: number,
  resultOf: (text: string) => Result,
): (text: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known.result;
    if (results.size >= maxResults) results.clear();
    const made = { result: resultOf(text) };
    results.set(text, made);
    return made.result;
  };
}
