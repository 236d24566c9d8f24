import { ApiError } from "../../contract/errors.ts";
import { NOT_NOW } from "../../contract/notNow.ts";
import type { Absent, NoRegistry, NotFindable, Unavailable } from "../../lookup/answer.ts";

export function notFound({ kvkNumber, hint }: Absent): ApiError {
  const more = hint === undefined ? "" : `: ${hint}`;
  return new ApiError("NOT_FOUND", `no company with KVK number ${kvkNumber} is known here${more}`);
}

/** Why there is no answer although there may be a company. */
export function noAnswer(answer: Unavailable | NoRegistry | NotFindable): ApiError {
  if (answer.kind === "no-registry") {
    return new ApiError("SERVICE_UNAVAILABLE", NOT_NOW.noRegistry, { retryAfterSeconds: 60 });
  }
  if (answer.kind === "not-findable") {
    return new ApiError("SERVICE_UNAVAILABLE", NOT_NOW.namesNotIndexed, { retryAfterSeconds: 10 });
  }
  return new ApiError("UPSTREAM_ERROR", `${REASONS[answer.cause]}; nothing was charged`);
}

const LATER = "KVK has no answer at the moment and nothing is held: try again later";
const REASONS: Readonly<Record<Unavailable["cause"], string>> = {
  outage: LATER,
  later: "KVK is working on this company and nothing is held: try again in five minutes",
  configuration:
    "KVK does not accept this service at the moment and nothing is held: its operator has been told",
  budget:
    "this service has asked KVK as often as it may today and nothing is held: try again tomorrow, or ask its operator for a larger budget",
  "free-share":
    "the accounts of free plans have asked KVK as often as they may today, all together, and nothing is held: try again tomorrow, or ask the operator for another plan",
  request: "KVK refuses this question and nothing is held: ask something else",
  "not-found-quota":
    "this account has asked for too many numbers today that KVK does not know: try again tomorrow, or ask the operator",
};
