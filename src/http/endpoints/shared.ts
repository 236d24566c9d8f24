import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { KVK_NUMBER_PATTERN, type KvkNumber, LOST_ZERO } from "../../contract/numbers.ts";
import type { Answer } from "../../lookup/companies.ts";

/** The KVK number of a path. */
export const KvkNumberParameter = Type.Unsafe<KvkNumber>({
  type: "string",
  pattern: KVK_NUMBER_PATTERN,
  description: "KVK number: exactly eight digits, leading zeros included.",
  examples: ["51234567"],
  "x-rule": "exactly 8 digits",
  "x-hint": LOST_ZERO,
  "x-error": "INVALID_KVK_NUMBER",
});

/** An hour: who asks for fresher would burn the operator's paid calls. */
const LEAST_AGE_SECONDS = 3_600;
const MOST_AGE_SECONDS = 315_360_000;

/** How old the data of a company may be, of a path that asks for one. */
export const MaxAgeParameter = Type.Optional(
  Type.Integer({
    minimum: LEAST_AGE_SECONDS,
    maximum: MOST_AGE_SECONDS,
    description:
      "How old the data may be, in seconds, an hour at least: what is older is asked of KVK anew, where the service can. Without an answer the older data is given; source.cachedAt tells.",
    examples: [86_400],
  }),
);

/** A year. */
const MOST_VERDICT_AGE_SECONDS = 31_536_000;

const verdictAge = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_VERDICT_AGE_SECONDS, description, examples: [0] }));

/** How old a verdict may be, of a path that asks for one, and of one that asks for a company with its verdict. */
export const VerdictMaxAgeParameter = verdictAge(
  "How old a fresh answer may be at most, in seconds; 0 asks VIES now.",
);
export const VatMaxAgeParameter = verdictAge(
  "How old VIES's answer on the VAT number of an enriched company may be at most, in seconds; 0 asks VIES now. A basic lookup has none.",
);

/** Seconds as they are given, in milliseconds. */
export function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** What was found. @throws {ApiError} that says why there is nothing */
export function foundIn<Found>(answer: Answer<Found>, kvkNumber: KvkNumber): Found {
  if (answer.kind === "found") return answer.found;
  throw answer.kind === "absent" ? notFound(kvkNumber) : noAnswer(answer);
}

export function notFound(kvkNumber: KvkNumber): ApiError {
  return new ApiError("NOT_FOUND", `no company with KVK number ${kvkNumber} is known here`);
}

/** Why there is no answer although there may be a company. */
export function noAnswer(answer: Exclude<Answer<never>, { kind: "found" | "absent" }>): ApiError {
  if (answer.kind === "no-registry") {
    return new ApiError(
      "SERVICE_UNAVAILABLE",
      "this service has no company registry yet; ask its operator to import one",
      { retryAfterSeconds: 60 },
    );
  }
  return new ApiError("UPSTREAM_ERROR", `${REASONS[answer.cause]}; nothing was charged`);
}

const LATER = "KVK has no answer at the moment and nothing is held: try again later";
type Cause = Extract<Answer<never>, { kind: "unavailable" }>["cause"];

const REASONS: Readonly<Record<Cause, string>> = {
  outage: LATER,
  later: "KVK is working on this company and nothing is held: try again in five minutes",
  configuration:
    "KVK does not accept this service at the moment and nothing is held: its operator has been told",
  budget:
    "this service has asked KVK as often as it may today and nothing is held: try again tomorrow, or ask its operator for a larger budget",
  "free-share":
    "the accounts of free plans have asked KVK as often as they may today, all together, and nothing is held: try again tomorrow, or ask the operator for another plan",
  request: "KVK refuses this question and nothing is held: ask something else",
  misses:
    "this account has asked for too many numbers today that KVK does not know: try again tomorrow, or ask the operator",
};
