import type { MatchAnswer } from "./api/calls.ts";
import type { MatchResult } from "./api/resources.ts";

/** The result of one query: a decision with its candidates, or an error. */
export type Matched =
  | (Required<Omit<MatchResult, "error" | "notes">> &
      Pick<MatchResult, "notes"> & { readonly error?: undefined })
  | (Required<Pick<MatchResult, "id" | "error">> & {
      readonly decision?: undefined;
      readonly candidates?: undefined;
      readonly notes?: undefined;
    });

/** The result of `match()`. */
export type MatchOf = Omit<MatchAnswer, "results"> & {
  /** One result for each query, in their order. */
  readonly results: readonly Matched[];
};
