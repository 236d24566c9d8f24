/** An account with the maximum of stored responses leaves room for other accounts. */
import { expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { BatchResponses } from "../../src/metering/responses.ts";

it("an account at its share is refused, and another one can store its responses", () => {
  const { perAccount } = POOLS.storedResponses;
  const responses = new BatchResponses(
    {
      nowMs: 0,
      entry: () => undefined,
      responseTotals: (accountId) => ({ responses: 1, bytes: accountId === "full" ? perAccount : 0 }),
      totalResponseBytes: perAccount,
    },
    { reserved: [], settled: new Set() },
  );
  const keep = {
    id: "one",
    requestHash: "one",
    response: { status: 200, text: "={}", numbers: [], lifetimeMs: 1_000 },
  };
  expect(responses.findHit("full", keep, false)).toEqual({ outcome: "full", isServiceFull: false });
  expect(responses.findHit("another", keep, false)).toBeUndefined();
});
