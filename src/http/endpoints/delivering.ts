import type { Steps } from "../../lib/steps.ts";
import type { Answer, MaybeLater, SearchResult } from "../../lookup/answer.ts";
import type { Delivered, HandlerResult } from "../endpoint.ts";
import { noAnswer, notFound } from "./lookupErrors.ts";

/**
 * What looking something up came to, as a handler gives it back; `make` turns what was found into what is delivered.
 * @throws {ApiError} (or rejects with it) that says why there is nothing
 */
export function deliver<Found>(
  result: MaybeLater<SearchResult<Found>>,
  make: (found: Found) => Delivered,
): HandlerResult | Promise<HandlerResult> {
  if (result instanceof Promise) return result.then((settled) => deliver(settled, make));
  if (result.kind === "in-steps") return { inSteps: delivering(result.steps, make) };
  if (result.kind !== "paid-work") return make(foundIn(result));
  return { paidWork: async (accountId) => make(foundIn(await result.run(accountId))) };
}

function* delivering<Found>(steps: Steps<Found>, make: (found: Found) => Delivered): Steps<Delivered> {
  return make(yield* steps);
}

/** What was found. @throws {ApiError} that says why there is nothing */
function foundIn<Found>(answer: Answer<Found>): Found {
  if (answer.kind === "found") return answer.found;
  throw answer.kind === "absent" ? notFound(answer) : noAnswer(answer);
}
