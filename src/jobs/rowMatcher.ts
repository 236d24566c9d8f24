import { inTurns } from "../lib/steps.ts";
import type { SearchResult } from "../lookup/answer.ts";
import type { MatchOptions, MatchQuery, MatchResult } from "../match/types.ts";

/** The best candidate of a row, and the next two. */
export const CANDIDATES_OF_ROW = 3;

/** Matches the rows of lists. */
export interface RowMatcher {
  /**
   * Returns the result of each query, in the same order; undefined for one that failed.
   * @returns undefined (the promise) when names cannot be searched now
   */
  match(queries: readonly MatchQuery[]): Promise<readonly (MatchResult | undefined)[] | undefined>;
}

/** Matches rows on this thread, with the companies of test keys, which are few. */
export function matchingHere(lookup: {
  match(queries: readonly MatchQuery[], options: MatchOptions): SearchResult<MatchResult[]>;
}): RowMatcher {
  return {
    async match(queries) {
      const result = lookup.match(queries, { limit: CANDIDATES_OF_ROW });
      return result.kind === "in-steps" ? await inTurns(result.steps) : undefined;
    },
  };
}
