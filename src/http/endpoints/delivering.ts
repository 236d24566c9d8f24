import type { Answer as Looked, LookupResult, MaybeLater, SearchResult } from "../../lookup/answer.ts";
import type { Delivered, HandlerResult } from "../endpoint.ts";
import { turns } from "../turns.ts";
import { noAnswer, notFound } from "./lookupErrors.ts";

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
export function firstStep<Found>(result: MaybeLater<SearchResult<Found>>): MaybeLater<LookupResult<Found>> {
  if (result instanceof Promise) return result.then(firstStep);
  if (result.kind !== "in-steps") return result;
  const { steps } = result;
  const done = (step: IteratorResult<void, Found>): LookupResult<Found> =>
    step.done === true
      ? { kind: "found", found: step.value }
      : {
          kind: "paid-work",
          run: async () => ({ kind: "found", found: await turns.run(() => turns.finish(steps)) }),
        };
  const first = turns.first(steps);
  return first instanceof Promise ? first.then(done) : done(first);
}

/** What was found. @throws {ApiError} that says why there is nothing */
function foundIn<Found>(answer: Looked<Found>): Found {
  if (answer.kind === "found") return answer.found;
  throw answer.kind === "absent" ? notFound(answer) : noAnswer(answer);
}
