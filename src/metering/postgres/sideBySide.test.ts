import { expect, it } from "vitest";
import { StoreUnavailable } from "../../lib/storeErrors.ts";
import type { ChargeRequest } from "../store.ts";
import { type Outcome, SideBySide } from "./sideBySide.ts";

const requestOf = (keyId: string): ChargeRequest => ({
  kind: "call",
  keyId,
  operation: "lookup",
  price: 1,
  charge: 1,
});

/** Batches that end when the test says so, by the keys of their requests. */
function gatedBatches() {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const sideBySide = new SideBySide(async (requests) => {
    const keyIds = requests.map(({ keyId }) => keyId);
    const gate = Promise.withResolvers<void>();
    gates.set(keyIds.join(), gate);
    await gate.promise;
    return keyIds.map((): Outcome => ({ outcome: "revoked" }));
  });
  const gateOf = (keyIds: string) => {
    const gate = gates.get(keyIds);
    if (gate === undefined) throw new Error(`no batch of ${keyIds} is running`);
    gates.delete(keyIds);
    return gate;
  };
  return { sideBySide, gateOf };
}

it.each(["first", "last"])(
  "reports a failure only to the requests of the failed batch: %s",
  async (order) => {
    const { sideBySide, gateOf } = gatedBatches();
    const running = ["a", "b"].map((keyId) => sideBySide.decide([requestOf(keyId)]));
    const waiting = sideBySide.decide(["a", "b", "a"].map(requestOf));
    gateOf("a").resolve();
    gateOf("b").resolve();
    await Promise.all(running);
    const end = [
      () => gateOf("a,a").reject(new StoreUnavailable("the connection was cut")),
      () => gateOf("b").resolve(),
    ];
    for (const one of order === "first" ? end : end.toReversed()) one();
    const outcomes = await Promise.allSettled(await waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  },
);

it("rejects if every batch failed", async () => {
  const { sideBySide, gateOf } = gatedBatches();
  const decided = sideBySide.decide(["a", "b"].map(requestOf));
  gateOf("a,b").reject(new StoreUnavailable("the connection was cut"));
  await expect(decided).rejects.toThrow(StoreUnavailable);
});
