import { type MeteringStore, StoreUnavailable } from "../../metering/store.ts";
import { callByName } from "../facets.ts";
import type { StateStore } from "../stateStore.ts";
import type { Asked } from "./askers.ts";
import { type Answer, type CallAsk, type ChargeAsk, packDecision } from "./protocol.ts";

/** Has the store run a method, and tells who asked what came of it. Never rejects. */
export async function call(store: StateStore, { asker, ask }: Asked<CallAsk>): Promise<void> {
  const { id, facet, method, parameters } = ask;
  try {
    const result = await (facet === "state"
      ? store.probe()
      : callByName(store, { facet, method }, parameters));
    asker.answer({ kind: "done", id, result });
  } catch (error) {
    asker.answer(failureOf(id, error));
  }
}

/**
 * Has charge requests of several threads decided in one transaction, and tells each thread of its own. Never rejects. Requests that the store fails
 * with, other than because it cannot be used, fail alone: what one thread asks is no matter of the others.
 */
export async function decideTogether(
  metering: MeteringStore,
  charges: readonly Asked<ChargeAsk>[],
): Promise<void> {
  try {
    const decisions = await metering.apply(charges.flatMap(({ ask }) => ask.requests));
    let from = 0;
    for (const { asker, ask } of charges) {
      const own = decisions.slice(from, from + ask.requests.length);
      from += ask.requests.length;
      asker.answer({ kind: "decided", id: ask.id, decisions: own.map(packDecision) });
    }
  } catch (error) {
    if (charges.length > 1 && !(error instanceof StoreUnavailable)) {
      for (const charge of charges) await decideTogether(metering, [charge]);
    } else {
      for (const { asker, ask } of charges) asker.answer(failureOf(ask.id, error));
    }
  }
}

function failureOf(id: number, error: unknown): Answer {
  if (error instanceof StoreUnavailable) return { kind: "unavailable", id, reason: error.reason };
  if (!(error instanceof Error)) return { kind: "failed", id, message: String(error) };
  const { message, stack } = error;
  return { kind: "failed", id, message, ...(stack !== undefined && { stack }) };
}
