import type { KvkNumber } from "../contract/numbers.ts";
import type { MissCause } from "../kvk/cache/liveCompanies.ts";
import type { Steps } from "../lib/steps.ts";

/** No source knows the company. */
export interface Absent {
  readonly kind: "absent";
  readonly kvkNumber: KvkNumber;
  /** An explanation for the caller, if there is one. */
  readonly hint?: string;
}

/** The live source has no answer now, and nothing is cached. */
export interface Unavailable {
  readonly kind: "unavailable";
  readonly cause: MissCause;
}

/** There is neither a snapshot nor a live source. */
export interface NoRegistry {
  readonly kind: "no-registry";
}

/** The name index of the registry is not built yet. */
export interface NotFindable {
  readonly kind: "not-findable";
}

/** The outcome of a lookup for its caller. */
export type Answer<Found> =
  | { readonly kind: "found"; readonly found: Found }
  | Absent
  | Unavailable
  | NoRegistry
  | NotFindable;

/** Calls to an upstream, which may cost the operator money, or other costly work: it starts only after the price is reserved. */
export interface PaidWork<Found> {
  readonly kind: "paid-work";
  /** @throws {StoreUnavailable} (the promise) when the upstream's answer cannot be stored */
  readonly run: (accountId: string) => Promise<Answer<Found>>;
}

/** A search that takes milliseconds, in steps, between which other requests are served. */
export interface InSteps<Found> {
  readonly kind: "in-steps";
  readonly steps: Steps<Found>;
}

/** An answer, or the work that returns one. */
export type LookupResult<Found> = Answer<Found> | PaidWork<Found>;
export type SearchResult<Found> = LookupResult<Found> | InSteps<Found>;

/** A promise only where the store or another thread had to be asked. */
export type MaybePromise<T> = T | Promise<T>;

export const NO_REGISTRY: NoRegistry = { kind: "no-registry" };
export const NOT_FINDABLE: NotFindable = { kind: "not-findable" };

/** Continues with the next lookup of a found value; paid work of both is combined into one. */
export function andThen<Found, Next>(
  result: MaybePromise<LookupResult<Found>>,
  next: (found: Found) => MaybePromise<LookupResult<Next>>,
): MaybePromise<LookupResult<Next>> {
  if (result instanceof Promise) return result.then((settled) => andThen(settled, next));
  if (result.kind === "found") return next(result.found);
  if (result.kind !== "paid-work") return result;
  return {
    kind: "paid-work",
    run: async (accountId) => {
      const answer = await andThen(await result.run(accountId), next);
      return answer.kind === "paid-work" ? answer.run(accountId) : answer;
    },
  };
}
