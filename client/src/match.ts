/** Any number of queries, matched in calls of a hundred. */
import type { MatchQuery } from "./api/resources.ts";
import { OpzoekError } from "./errors.ts";
import { type HundredsOptions, inHundreds } from "./hundreds.ts";
import type { Matched, MatchOf } from "./matched.ts";
import type { Transport } from "./transport.ts";

/** Options of a match. `signal` aborts it as a whole; the other options apply to each call of a hundred queries. */
export interface MatchOptions extends HundredsOptions {
  /** Maximum number of candidates for each query, 1 to 10; 3 by default. */
  readonly limit?: number | undefined;
  /** Only active companies, or only ended ones. */
  readonly isActive?: boolean | undefined;
}

/**
 * Matches all queries in their order, within the key's rate.
 * @throws {OpzoekError} that of the failed call, with `partialMatch`: the results that were returned and paid for
 * before
 */
export async function matchesOf(
  transport: Transport,
  given: Iterable<MatchQuery>,
  { limit, isActive, ...options }: MatchOptions,
): Promise<MatchOf> {
  // By default the id is the index among all queries, not that within a call.
  const queries = Array.from(given, (query, index) => ({ id: String(index), ...query }));
  const results: Matched[] = [];
  let tokensUsed = 0;
  try {
    const answers = inHundreds<MatchQuery, MatchOf>(transport, queries, options, (chunk) => ({
      operation: "match",
      field: "results",
      path: "/v1/match",
      body: { queries: chunk, limit, isActive },
    }));
    for await (const [answer] of answers) {
      results.push(...answer.results);
      tokensUsed += answer.tokensUsed;
    }
  } catch (error) {
    if (error instanceof OpzoekError)
      error.partialMatch = { results, tokensUsed, remaining: queries.slice(results.length) };
    throw error;
  }
  return { results, tokensUsed };
}
