import { expect, it } from "vitest";
import { Meter } from "./meter.ts";
import type { CallAsk, MeteringStore } from "./store.ts";

const CALL: CallAsk = { kind: "call", keyId: "key_1", operation: "lookup", price: 1, charge: 1 };

it("a meter asks for grants where a batch is worth it, and has a smaller one decided at once", async () => {
  const sizes = { granted: [] as number[], decided: [] as number[] };
  const store: MeteringStore = {
    async grant(asks) {
      sizes.granted.push(asks.length);
      return [];
    },
    async apply(asks) {
      sizes.decided.push(asks.length);
      return asks.map(() => ({ outcome: "revoked" }));
    },
    async findKeyIds() {
      return [];
    },
  };
  const meter = new Meter(store, { worthGranting: 3 });
  for (const size of [1, 2, 3, 4]) await Promise.all(Array.from({ length: size }, () => meter.ask(CALL)));
  await meter.close();
  expect(sizes).toEqual({ granted: [3, 4], decided: [1, 2, 3, 4] });
});
