import type { FEATURE_PARTS, MATCH_DECISIONS, MatchNote } from "../contract/matchResources.ts";
import type { KvkNumber } from "../contract/numbers.ts";

/** The data that a caller has about a company. No field is empty; there is at least a name, an address or a number. */
export interface MatchQuery {
  readonly name?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly street?: string;
  readonly houseNumber?: string;
  readonly kvkNumber?: KvkNumber;
  /** Nine digits. */
  readonly rsin?: string;
  /** Dutch, normalised: `NL123456782B01`. */
  readonly vatNumber?: string;
  /** With the right check digits. */
  readonly lei?: string;
  /** `NLNHR.51234567` */
  readonly euid?: string;
  readonly website?: string;
}

/** A query, and what of it was left out or completed when it was read. */
export interface NotedQuery extends MatchQuery {
  /** Not empty. */
  readonly notes?: readonly MatchNote[];
}

/** A query as a caller or a file gives it: any text, possibly empty. */
export type SentQuery = { readonly [Field in keyof MatchQuery]?: string | undefined };

export interface InvalidQuery {
  readonly code: "INVALID_REQUEST" | "INVALID_KVK_NUMBER" | "INVALID_VAT_NUMBER";
  readonly message: string;
}

export interface MatchOptions {
  /** The maximum number of candidates to return. */
  readonly limit: number;
  /** Only active or only inactive companies. */
  readonly isActive?: boolean;
  /** Companies that are treated as if they were not in the registry. */
  readonly isHidden?: (kvkNumber: KvkNumber) => boolean;
}

/**
 * `matched`: one candidate is the company; `ambiguous`: a person must decide; `none`: the company is probably not in
 * the registry.
 */
export type MatchDecision = (typeof MATCH_DECISIONS)[number];

/** How well each part of a query fits a candidate, 0 to 1. A part that the query or the candidate lacks is absent. */
export type MatchFeatures = { [Part in (typeof FEATURE_PARTS)[number]]?: number };

export interface RankedCandidate {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
  /** The other name that fits best, if it is not the main name. */
  readonly matchedName?: string;
  readonly city?: string;
  readonly isActive: boolean;
  /** The probability that this is the company meant, percent, with one decimal. */
  readonly score: number;
  readonly match: boolean;
  readonly features: MatchFeatures;
}

export interface Ranking {
  readonly decision: MatchDecision;
  /** Best first. */
  readonly candidates: readonly RankedCandidate[];
  /** Not empty. */
  readonly notes?: readonly MatchNote[];
}
