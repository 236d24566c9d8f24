import { exactKeys } from "../../src/search/legalFormWords.ts";
import { normalise } from "../../src/search/normalise.ts";
import { type NameQuery, nameQueryOf } from "../../src/search/query.ts";
import { rewrittenQueries } from "../../src/search/rewrittenQueries.ts";

/** A name with all words that match it, and its exact keys. */
export interface ReadName {
  readonly words: readonly string[];
  readonly keys: readonly string[];
}

/**
 * Whether a name matches a query or one of its rewordings, decided from the name alone.
 * @param known every word of all names
 */
export function fitting(q: string, known: ReadonlySet<string>): (name: ReadName) => boolean {
  const [typed, others] = rewritten(q, known);
  const queries = [typed, ...others].map((query) => ({
    query,
    keys: exactKeys(query.normal),
  }));
  return (name) =>
    queries.some(({ query, keys }) => hasWords(name, query) || keys.some((key) => name.keys.includes(key)));
}

function hasWords({ words }: ReadName, { words: queryWords, isWholeWord }: NameQuery): boolean {
  return queryWords.every((word, nth) =>
    words.some((one) => (isWholeWord?.[nth] === true ? one === word : one.startsWith(word))),
  );
}

/** Whether a query has rewordings. */
export function hasOtherWords(q: string, known: ReadonlySet<string>): boolean {
  return rewritten(q, known)[1].length > 0;
}

function rewritten(
  q: string,
  known: ReadonlySet<string>,
): readonly [typed: NameQuery, others: readonly NameQuery[]] {
  const typed = nameQueryOf(q, normalise(q));
  return [
    typed,
    rewrittenQueries(typed, {
      has: (word) => known.has(word),
      hasPrefix: (word) => known.values().some((one) => one.startsWith(word)),
    }),
  ];
}
