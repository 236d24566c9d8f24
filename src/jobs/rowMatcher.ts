import { ApiError } from "../contract/errors.ts";
import { type LookupResult, type MaybePromise, type Payer, paid } from "../lookup/answer.ts";
import type { MatchOptions, MatchQuery, Ranking } from "../match/types.ts";

/** The best candidate of a row, and the next two. */
export const CANDIDATES_OF_ROW = 3;

/** Matches the rows of lists. */
export interface RowMatcher {
  /**
   * Returns the result of each query, in the same order: undefined for one that failed, an error for a test outcome.
   * @returns undefined (the promise) when names cannot be searched now
   */
  match(
    queries: readonly MatchQuery[],
    payer: Payer,
  ): Promise<readonly (Ranking | ApiError | undefined)[] | undefined>;
}

/** Matches rows on this thread, with the companies of test keys, which are few. */
export function matchingHere(finder: {
  match(queries: readonly MatchQuery[], options: MatchOptions): MaybePromise<LookupResult<Ranking[]>>;
}): RowMatcher {
  return {
    async match(queries, payer) {
      const results: (Ranking | ApiError | undefined)[] = [];
      for (const query of queries) {
        try {
          const answer = await paid(finder.match([query], { limit: CANDIDATES_OF_ROW }), payer);
          if (answer.kind !== "found") return undefined;
          results.push(...answer.found);
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
