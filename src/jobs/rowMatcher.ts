import { ApiError } from "../contract/errors.ts";
import { inTurns } from "../lib/steps.ts";
import type { SearchResult } from "../lookup/answer.ts";
import type { MatchOptions, MatchQuery, MatchResult } from "../match/types.ts";

/** The best candidate of a row, and the next two. */
export const CANDIDATES_OF_ROW = 3;

/** Matches the rows of lists. */
export interface RowMatcher {
  /**
   * Returns the result of each query, in the same order: undefined for one that failed, an error for a test outcome.
   * @returns undefined (the promise) when names cannot be searched now
   */
  match(queries: readonly MatchQuery[]): Promise<readonly (MatchResult | ApiError | undefined)[] | undefined>;
}

/** Matches rows on this thread, with the companies of test keys, which are few. */
export function matchingHere(lookup: {
  match(queries: readonly MatchQuery[], options: MatchOptions): SearchResult<MatchResult[]>;
}): RowMatcher {
  return {
    async match(queries) {
      const results: (MatchResult | ApiError | undefined)[] = [];
      for (const query of queries) {
        try {
          const result = lookup.match([query], { limit: CANDIDATES_OF_ROW });
          if (result.kind !== "in-steps") return undefined;
          results.push(...(await inTurns(result.steps)));
        } catch (error) {
          // Some test inputs fail a whole call. In a list only that row fails.
          if (!(error instanceof ApiError)) throw error;
          results.push(error);
        }
      }
      return results;
    },
  };
}
