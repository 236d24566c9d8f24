import { ApiError, invalid, REGISTRY_UNAVAILABLE, retryLater } from "../contract/errors.ts";
import { type KvkNumber, lostZeroHint } from "../contract/numbers.ts";
import { quoted } from "../contract/quoting.ts";
import type { MissCause } from "../kvk/cache/liveCompanies.ts";

/** No source knows the company. */
export interface Absent {
  readonly kind: "absent";
  readonly kvkNumber: KvkNumber;
  /** An explanation for the caller, if there is one. */
  readonly hint?: string;
}

/** The live source, or the Peppol network, has no answer now, and nothing is cached. */
export interface Unavailable {
  readonly kind: "unavailable";
  readonly cause: MissCause | "peppol" | "peppol-busy";
}

/** There is neither a snapshot nor a live source. */
export interface NoRegistry {
  readonly kind: "no-registry";
}

/** The name index of the registry is not built yet. */
export interface NotFindable {
  readonly kind: "not-findable";
}

/** The court's register is not set up, is not loaded or cannot be read, or is older than a search allows. */
export interface NoCourt {
  readonly kind: "no-court";
  readonly problem: "not-set-up" | "not-loaded" | "old";
}

/** The outcome of a lookup for its caller. */
export type Answer<Found> =
  | { readonly kind: "found"; readonly found: Found }
  | Absent
  | Unavailable
  | NoRegistry
  | NotFindable
  | NoCourt;

/** Why a number of a batch or list has no company; `invalid` when it is not a KVK number. */
export type Miss = Exclude<Answer<never>, { kind: "found" }> | { readonly kind: "invalid" };

/** The account that pays for work. */
export interface Payer {
  readonly accountId: string;
  readonly tierName: string;
}

/**
 * Calls to an upstream, which may cost the operator money, or other costly work: it starts only after the price is
 * reserved.
 */
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

/**
 * Continues with the response for a found value.
 * @throws {ApiError} (or rejects with it) when nothing was found
 */
export function deliver<Found, Response extends object>(
  result: MaybePromise<LookupResult<Found>>,
  make: (found: Found) => Response,
): MaybePromise<Work<Response>> {
  return continueWith(result, (answer: Answer<Found>) => {
    if (answer.kind === "found") return make(answer.found);
    throw answer.kind === "absent" ? notFound(answer) : noAnswer(answer);
  });
}

function notFound({ kvkNumber, hint }: Absent): ApiError {
  const suffix = hint === undefined ? "" : `: ${hint}`;
  return new ApiError("NOT_FOUND", `no company with KVK number ${kvkNumber} is known here${suffix}`);
}

/** Returns the error if the company may exist but no source could answer. */
export function noAnswer(answer: Unavailable | NoRegistry | NotFindable | NoCourt): ApiError {
  if (answer.kind === "no-registry") {
    return retryLater("SERVICE_UNAVAILABLE", 60, REGISTRY_UNAVAILABLE.noRegistry);
  }
  if (answer.kind === "not-findable") {
    return retryLater("SERVICE_UNAVAILABLE", 10, REGISTRY_UNAVAILABLE.namesNotIndexed);
  }
  if (answer.kind === "no-court") return NO_COURT[answer.problem];
  const message = `${REASONS[answer.cause]}; nothing was charged`;
  return answer.cause === "peppol-busy"
    ? retryLater("SERVICE_UNAVAILABLE", 5, message)
    : new ApiError("UPSTREAM_ERROR", message);
}

/** Returns the error of a number of a batch or list, as it was sent. */
export function companyError(sent: string, answer: Miss): Pick<ApiError, "code" | "message"> {
  if (answer.kind === "invalid") {
    return {
      code: "INVALID_KVK_NUMBER",
      message: `kvkNumber must be exactly 8 digits; received ${quoted(sent)}${lostZeroHint(sent)}`,
    };
  }
  const { code, message } = answer.kind === "absent" ? notFound(answer) : noAnswer(answer);
  return { code, message };
}

/** The error if VIES does not answer and there is no earlier answer. */
export function verdictUnknown(): ApiError {
  return new ApiError(
    "UPSTREAM_ERROR",
    "VIES is not answering and no earlier result is stored, so the number cannot be checked right now; nothing was charged, try again later",
  );
}

const NO_COURT: Readonly<Record<NoCourt["problem"], ApiError>> = {
  "not-set-up": invalid(
    "insolvency cannot be asked here: this service does not have the court's register; its operator can set it up",
  ),
  "not-loaded": new ApiError(
    "UPSTREAM_ERROR",
    "the court's register is not loaded or cannot be read at the moment; nothing was charged, try again later",
  ),
  old: new ApiError(
    "UPSTREAM_ERROR",
    "the court's register here is more than three days old, so companies without a case are unknown; nothing was charged, try again later",
  ),
};

const LATER = "KVK is not answering at the moment and no stored data is available: try again later";
const REASONS: Readonly<Record<Unavailable["cause"], string>> = {
  outage: LATER,
  later: "KVK is updating this company and no stored data is available: try again in five minutes",
  configuration:
    "KVK rejects this service's requests at the moment and no stored data is available: its operator has been informed",
  budget:
    "this service has used up today's budget of KVK calls and no stored data is available: try again tomorrow, or ask its operator for a larger budget",
  "free-share":
    "accounts of free plans have used up their share of today's KVK calls and no stored data is available: try again tomorrow, or ask the operator for another plan",
  peppol:
    "the Peppol network, or the company's server there, gives no usable answer at the moment and no earlier one is stored, so it is unknown whether the company can receive e-invoices: try again later",
  "peppol-busy": "too many questions to the Peppol network wait here: try again in a few seconds",
  request: "KVK rejects this query and no stored data is available: change the query",
  "not-found-quota":
    "this account has looked up too many unknown numbers today: try again tomorrow, or contact the operator",
};
