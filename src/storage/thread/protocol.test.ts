import fc from "fast-check";
import { expect, it } from "vitest";
import type { Balance, Decision } from "../../metering/store.ts";
import { packDecision, unpackDecision } from "./protocol.ts";

const PLAIN = { noNullPrototype: true } as const;
const whole = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

const balance: fc.Arbitrary<Balance> = fc.record(
  {
    accountId: fc.string(),
    tierName: fc.string(),
    rateLimit: whole,
    rateRemaining: whole,
    rateResetSeconds: whole,
    tokensLimit: whole,
    tokensUsed: whole,
    tokensRemaining: whole,
    tokensResetSeconds: whole,
    month: whole,
    nowMs: whole,
    tookBackMs: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  },
  {
    ...PLAIN,
    requiredKeys: [
      "accountId",
      "tierName",
      "rateLimit",
      "rateRemaining",
      "rateResetSeconds",
      "tokensLimit",
      "tokensUsed",
      "tokensRemaining",
      "tokensResetSeconds",
      "month",
      "nowMs",
    ],
  },
);

const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.record({ outcome: fc.constant("granted" as const), charged: whole, balance }, PLAIN),
  fc.record(
    {
      outcome: fc.constantFrom("rate", "quota", "suspended", "outside", "lapsed"),
      balance,
    },
    PLAIN,
  ),
  fc.constantFrom<Decision>({ outcome: "revoked" }, { outcome: "expired" }),
);

it("gives any decision as it was, when it has crossed the thread as text", () => {
  fc.assert(
    fc.property(fc.array(decision), (decisions) => {
      const text = JSON.stringify(decisions.map(packDecision));
      expect(JSON.parse(text).map(unpackDecision)).toStrictEqual(decisions);
    }),
  );
});
