import { ApiError } from "../../contract/errors.ts";
import { NOT_NOW } from "../../contract/notNow.ts";
import type {
  Absent,
  Answer as Looked,
  LookupResult,
  MaybeLater,
  NoRegistry,
  NotFindable,
  SearchResult,
  Unavailable,
} from "../../lookup/answer.ts";
import type { Delivered, HandlerResult } from "../endpoint.ts";
import { turns } from "../turns.ts";

/** Seconds as they are given, in milliseconds. */
export function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/**
 * Turns the result of a lookup into the result of a handler; `make` makes what is delivered. Steps are done to their end.
 * @throws {ApiError} (or rejects with it) that says why there is nothing
 */
export function deliver<Found>(
  result: MaybeLater<SearchResult<Found>>,
  make: (found: Found) => Delivered,
): HandlerResult | Promise<HandlerResult> {
  if (result instanceof Promise) return result.then((settled) => deliver(settled, make));
  if (result.kind === "in-steps") return turns.finish(result.steps).then(make);
  if (result.kind !== "paid-work") return make(foundIn(result));
  return { paidWork: async (accountId) => make(foundIn(await result.run(accountId))) };
}

/** Does the first step of work in steps. The others wait until the call is paid for. */
export async function firstStep<Found>(result: SearchResult<Found>): Promise<LookupResult<Found>> {
  if (result.kind !== "in-steps") return result;
  const { steps } = result;
  const step = await turns.run(() => steps.next());
  if (step.done === true) return { kind: "found", found: step.value };
  const run = async () => ({ kind: "found", found: await turns.run(() => turns.finish(steps)) }) as const;
  return { kind: "paid-work", run };
}

/** What was found. @throws {ApiError} that says why there is nothing */
function foundIn<Found>(answer: Looked<Found>): Found {
  if (answer.kind === "found") return answer.found;
  throw answer.kind === "absent" ? notFound(answer) : noAnswer(answer);
}

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
