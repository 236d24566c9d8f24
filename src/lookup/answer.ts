import type { KvkNumber } from "../contract/numbers.ts";
import type { MissCause } from "../kvk/cache/liveCompanies.ts";

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

/** The account that pays for work. */
export interface Payer {
  readonly accountId: string;
  readonly tierName: string;
}

/** Calls to an upstream, which may cost the operator money, or other costly work: it starts only after the price is reserved. */
export interface WhenPaid<Result extends object> {
  /** Does the work. @throws {StoreUnavailable} (the promise) when the upstream's answer cannot be stored */
  readonly whenPaid: (payer: Payer) => Promise<Result>;
}

/** The work of a call: its result, or work that starts when it is paid for. */
export type Work<Result extends object> = Result | WhenPaid<Result>;

export type LookupResult<Found> = Work<Answer<Found>>;

/** A promise only where the store or another thread had to be asked. */
export type MaybePromise<T> = T | Promise<T>;

export const NO_REGISTRY: NoRegistry = { kind: "no-registry" };
export const NOT_FINDABLE: NotFindable = { kind: "not-findable" };

function isUnpaid<Result extends object>(work: Work<Result>): work is WhenPaid<Result> {
  return "whenPaid" in work;
}

/** Returns the result of work that is paid for. */
export async function paid<Result extends object>(
  work: MaybePromise<Work<Result>>,
  payer: Payer,
): Promise<Result> {
  const begun = await work;
  return isUnpaid(begun) ? begun.whenPaid(payer) : begun;
}

/** Continues with the result of work, at once if it is there. Paid work of both is combined into one. */
export function continueWith<Result extends object, Next extends object>(
  work: MaybePromise<Work<Result>>,
  next: (result: Result) => MaybePromise<Work<Next>>,
): MaybePromise<Work<Next>> {
  if (work instanceof Promise) return work.then((begun) => continueWith(begun, next));
  if (!isUnpaid(work)) return next(work);
  return { whenPaid: async (payer) => paid(next(await work.whenPaid(payer)), payer) };
}

/** Continues with the next lookup of a found value. */
export function andThen<Found, Next>(
  result: MaybePromise<LookupResult<Found>>,
  next: (found: Found) => MaybePromise<LookupResult<Next>>,
): MaybePromise<LookupResult<Next>> {
  return continueWith(result, (answer: Answer<Found>) =>
    answer.kind === "found" ? next(answer.found) : answer,
  );
}
