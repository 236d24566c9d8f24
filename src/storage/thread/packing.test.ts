import fc from "fast-check";
import { expect, it } from "vitest";
import type { Balance, ChargeRequest, Decision } from "../../metering/store.ts";
import { packDecisions, packRequests, unpackDecisions, unpackRequests } from "./packing.ts";

const PLAIN = { noNullPrototype: true } as const;
const whole = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
/** Few, so that neighbours are often the same. */
const few = fc.constantFrom("one", "another", "0", "");
const fewNumbers = fc.constantFrom(0, 1, 7);

const balance: fc.Arbitrary<Balance> = fc.record(
  {
    accountId: few,
    tierName: few,
    rateLimit: fewNumbers,
    rateRemaining: whole,
    rateResetSeconds: fewNumbers,
    tokensLimit: fewNumbers,
    tokensUsed: whole,
    tokensRemaining: whole,
    tokensResetSeconds: fewNumbers,
    month: fewNumbers,
    nowMs: fewNumbers,
    tookBackMs: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    keyDay: fc.constant({ day: 1, limit: 2, spent: 3, remaining: 4, resetSeconds: 5 }),
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

it("gives any decisions as they were, when they have crossed the thread as text", () => {
  fc.assert(
    fc.property(fc.array(fc.option(decision, { nil: undefined })), (decisions) => {
      const text = JSON.stringify(packDecisions(decisions));
      expect(unpackDecisions(JSON.parse(text))).toStrictEqual(decisions);
    }),
  );
});

const address = fc.option(few, { nil: undefined });
const plainCall = fc.record(
  {
    kind: fc.constant("call" as const),
    keyId: few,
    isTest: fc.constantFrom(true, undefined),
    operation: fc.constantFrom("lookup", "search", "other"),
    price: fewNumbers,
    charge: fewNumbers,
    hasSlot: fc.boolean(),
    address,
  },
  PLAIN,
);
const request: fc.Arbitrary<ChargeRequest> = fc.oneof(
  plainCall,
  fc
    .tuple(
      plainCall,
      fc.constantFrom({ session: "s" }, { browser: { origin: "https://a.example" } }, { wasLetIn: true }),
    )
    .map(([call, more]) => ({ ...call, ...more })),
  fc.record(
    {
      kind: fc.constant("reserve" as const),
      keyId: few,
      operation: fc.constant("lookup" as const),
      price: fewNumbers,
      reservationId: few,
      lifetimeMs: whole,
    },
    PLAIN,
  ),
  fc.record(
    { kind: fc.constant("settle" as const), keyId: few, reservationId: few, charge: fewNumbers },
    PLAIN,
  ),
);

it("gives any charge requests as they were", () => {
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const text = JSON.stringify(packRequests(requests));
      expect(unpackRequests(JSON.parse(text))).toEqual(requests);
    }),
  );
});
