import { type Decision, type MeteringStore, StoreUnavailable, ValueRefused } from "../../metering/store.ts";
import { callByName } from "../facets.ts";
import type { StateStore } from "../stateStore.ts";
import type { Asked } from "./askers.ts";
import { packDecisions } from "./packing.ts";
import type { Answer, CallAsk, ChargeAsk } from "./protocol.ts";

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

/** Tells who asked that the store cannot be used. */
export function refuse({ asker, ask }: Asked, reason: string): void {
  asker.answer({ kind: "unavailable", id: ask.id, reason });
}

/**
 * Has charge requests of several threads decided as one batch, and tells each thread of its own. Never rejects. Requests that the store fails
 * with, other than because it cannot be used, fail alone: what one thread asks is no matter of the others.
 */
export async function decideTogether(
  metering: MeteringStore,
  charges: readonly Asked<ChargeAsk>[],
): Promise<void> {
  const open = new Set(charges);
  const tell = (decisions: readonly (Decision | undefined)[]) => {
    let from = 0;
    for (const charge of charges) {
      const to = from + charge.ask.requests.length;
      if (open.has(charge) && tellOf(charge, decisions.slice(from, to))) open.delete(charge);
      from = to;
    }
  };
  let isEarly = false;
  const tellEarly = (decisions: readonly (Decision | undefined)[]) => {
    isEarly = true;
    tell(decisions);
  };
  try {
    const takesEarly = charges.every(({ ask }) => ask.takesEarly);
    const requests = charges.flatMap(({ ask }) => ask.requests);
    tell(await metering.apply(requests, takesEarly ? tellEarly : undefined));
  } catch (error) {
    if (charges.length > 1 && !isEarly && !(error instanceof StoreUnavailable)) {
      for (const charge of charges) await decideTogether(metering, [charge]);
    } else {
      for (const { asker, ask } of open) asker.answer(failureOf(ask.id, error));
    }
  }
}

/** @returns whether all is decided */
function tellOf({ asker, ask }: Asked<ChargeAsk>, given: readonly (Decision | undefined)[]): boolean {
  const decided = given.reduce((count, decision) => (decision === undefined ? count : count + 1), 0);
  const isAll = decided === ask.requests.length;
  if (decided > 0 || isAll) {
    asker.answer({ kind: isAll ? "decided" : "early", id: ask.id, decisions: packDecisions(given) });
  }
  return isAll;
}

function failureOf(id: number, error: unknown): Answer {
  if (error instanceof StoreUnavailable) return { kind: "unavailable", id, reason: error.reason };
  if (error instanceof ValueRefused) return { kind: "refused", id, sqlState: error.sqlState };
  if (!(error instanceof Error)) return { kind: "failed", id, message: String(error) };
  const { message, stack } = error;
  return { kind: "failed", id, message, ...(stack !== undefined && { stack }) };
}
