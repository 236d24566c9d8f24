import type { KvkNumber } from "../contract/numbers.ts";
import type { MissCause } from "../kvk/cache/liveCompanies.ts";
import type { Steps } from "../lib/steps.ts";

/** There is no such company, as far as anybody knows who was asked. */
export interface Absent {
  readonly kind: "absent";
  readonly kvkNumber: KvkNumber;
  /** Why it may be missed, for whoever asked; absent where there is nothing to say. */
  readonly hint?: string;
}

/** The live source has no answer now, and nothing is held. */
export interface Unavailable {
  readonly kind: "unavailable";
  readonly cause: MissCause;
}

/** There is neither a snapshot nor a live source. */
export interface NoRegistry {
  readonly kind: "no-registry";
}

/** There is a registry, whose names cannot be found before their index is built. */
export interface NotFindable {
  readonly kind: "not-findable";
}

/** What is told to whoever asks. */
export type Answer<Found> =
  | { readonly kind: "found"; readonly found: Found }
  | Absent
  | Unavailable
  | NoRegistry
  | NotFindable;

/** Work that asks an upstream, which may cost the operator money: begun only when its caller's tokens are reserved. */
export interface PaidWork<Found> {
  readonly kind: "paid-work";
  /** @throws {StoreUnavailable} (the promise) when what an upstream told cannot be kept */
  readonly run: (accountId: string) => Promise<Answer<Found>>;
}

/** A search that takes milliseconds: between two of its steps others have the thread. */
export interface InSteps<Found> {
  readonly kind: "in-steps";
  readonly steps: Steps<Found>;
}

/** What looking something up comes to: an answer, or the work that brings one. */
export type LookupResult<Found> = Answer<Found> | PaidWork<Found>;
export type SearchResult<Found> = LookupResult<Found> | InSteps<Found>;

/** A promise only where the store or another thread had to be asked: what is in memory is there at once. */
export type MaybeLater<T> = T | Promise<T>;

export const NO_REGISTRY: NoRegistry = { kind: "no-registry" };
export const NOT_FINDABLE: NotFindable = { kind: "not-findable" };

/** What was found, and what is looked up about it next, which may need paid work as well: both are then done in one go. */
export function andThen<Found, Next>(
  result: MaybeLater<LookupResult<Found>>,
  next: (found: Found) => MaybeLater<LookupResult<Next>>,
): MaybeLater<LookupResult<Next>> {
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
