/** During any fault of VIES, no caller gets a wrong "invalid" or pays for a failure. */

import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/demo/vies/faults.ts";
import { FAULT_KINDS } from "../../src/demo/vies/faults.ts";
import { NO_ANSWERS } from "../../src/vat/vies/codes.ts";
import { numberIn } from "../kit/answer.ts";
import { expectBalance, expectError } from "../kit/contractAnswer.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { composeOverVies, type OverVies, type ReceivedVerdict, verdictIn } from "../kit/vat.ts";
import { fictionalRsins, REGISTERED, requestsFor } from "../kit/vies.ts";

const numbers = fictionalRsins(2).map((rsin) => `NL${rsin}B01`);
const [HELD = "", NEW = ""] = numbers;
/** Not registered, with a verdict from before the fault. */
const REFUSED = "NL999999333B01";
const SHORT_MS = "300";
const LONG_MS = "30000";

const codes = [...NO_ANSWERS.keys(), "NEVER_SEEN", "VALID", "INVALID"];

/**
 * One fault of each kind first: an ordinary run tests some kinds, and unit tests of the client every result of a call.
 */
function kindsFirst(faults: readonly Fault[]): readonly Fault[] {
  const ofKinds = new Map(faults.map((fault) => [fault.kind, fault]));
  return [...ofKinds.values(), ...faults.filter((fault) => ofKinds.get(fault.kind) !== fault)];
}

/** Every fault without an answer within the deadline of {@link SHORT_MS}. */
const OUTAGES: readonly Fault[] = [
  ...codes.map((code) => ({ kind: "code", code }) as const),
  { kind: "code", code: "MS_UNAVAILABLE", status: 500 },
  { kind: "code", code: "INVALID_INPUT", status: 400 },
  { kind: "latency", ms: 60_000 },
  { kind: "hang" },
  { kind: "reset" },
  { kind: "html" },
  { kind: "html", status: 200 },
  { kind: "html", status: 404 },
  { kind: "truncated" },
  { kind: "tooMany" },
  { kind: "tooMany", retryAfterSeconds: 30 },
  { kind: "tooMany", retryAfterSeconds: 30, status: 503 },
  { kind: "cutJson" },
  { kind: "slowBody", everyMs: 1_000 },
  { kind: "emptyErrors" },
  { kind: "nullError" },
  { kind: "missingValid" },
  { kind: "wrongValid" },
  { kind: "otherNumber" },
];

/** Faults with an answer in time. */
const HITCHES: readonly Fault[] = [
  { kind: "latency", ms: 100 },
  { kind: "bom" },
  { kind: "compressed", coding: "gzip" },
  { kind: "compressed", coding: "br" },
  { kind: "interim" },
  { kind: "slowBody", everyMs: 0 },
  ...["MS_UNAVAILABLE", "MS_MAX_CONCURRENT_REQ", "GLOBAL_MAX_CONCURRENT_REQ", "TIMEOUT"].flatMap(
    (code): Fault[] => [
      { kind: "flapping", code, first: 1 },
      { kind: "flapping", code, first: 2 },
    ],
  ),
];

const named = (faults: readonly Fault[]) => faults.map((fault) => [JSON.stringify(fault), fault] as const);

/** A service with verdicts on a registered and on a refused number. */
async function withCached(
  deadlineMs: string,
): Promise<{ over: OverVies; cached: ReceivedVerdict; refused: ReceivedVerdict }> {
  const over = await composeOverVies({
    environment: { VIES_DEADLINE_MS: deadlineMs },
    vies: {
      companyOf: (state, national) => (numbers.includes(state + national) ? REGISTERED : "unknown"),
    },
  });
  const validated = (number: string) =>
    until(`${number} is validated`, async () => {
      const answer = await over.validate(number);
      const verdict = answer.status === 200 ? verdictIn(answer) : undefined;
      // An answer that arrived just after the deadline is returned as stale at first.
      return verdict?.status === "validated" ? verdict : undefined;
    });
  return { over, cached: await validated(HELD), refused: await validated(REFUSED) };
}

const usedBy = async ({ service, account }: OverVies): Promise<number> =>
  (await service.state.ledger.spent(account.id))?.used ?? 0;

describe("the service", () => {
  it("is tested here with every kind of fault", () => {
    const here = new Set([...OUTAGES, ...HITCHES].map(({ kind }) => kind));
    expect(FAULT_KINDS.filter((kind) => !here.has(kind))).toEqual(["invalid"]);
  });

  it.concurrent.each(named(variants(kindsFirst(OUTAGES), { ordinary: 7 })))(
    "returns the previous answer for 1, or an error for 0, during %s",
    async (_name, fault) => {
      const { over, cached, refused } = await withCached(SHORT_MS);
      const usedBefore = await usedBy(over);
      over.vies.setFault("*", fault);
      const stale = { status: "stale", ageSeconds: expect.any(Number) };
      // In the second round circuit breakers are open or about to open.
      for (const _round of [1, 2]) {
        const [ofCached, ofRefused, ofNew, ofWrong] = await Promise.all([
          over.validate(`${HELD}?maxAge=0`),
          over.validate(`${REFUSED}?maxAge=0`),
          over.validate(NEW),
          over.validate("NL123456789B01"),
        ]);
        expect(verdictIn(ofCached)).toEqual({ ...cached, ...stale });
        expect(verdictIn(ofRefused)).toEqual({ ...refused, ...stale });
        expectError(ofNew, "UPSTREAM_ERROR");
        expect(verdictIn(ofWrong)).toEqual({
          vatNumber: "NL123456789B01",
          valid: false,
          status: "malformed",
          checksumValid: false,
        });
        const answers = [ofCached, ofRefused, ofNew, ofWrong];
        for (const answer of answers) expectBalance(answer);
        expect(answers.map((answer) => numberIn(answer, "x-tokens-charged"))).toEqual([1, 1, 0, 1]);
      }
      // Fresh data needs no VIES.
      expect(verdictIn(await over.validate(HELD))).toEqual(cached);
      // 3 in each round, and 1 for this call.
      expect((await usedBy(over)) - usedBefore).toBe(7);
      await over.service.close();
      await over.vies.stop();
    },
  );

  it.each(named(variants(kindsFirst(HITCHES), { ordinary: 3 })))(
    "still returns an answer during %s",
    async (_name, fault) => {
      const { over, cached } = await withCached(LONG_MS);
      over.vies.setFault("*", fault);
      const answer = await over.validate(`${HELD}?maxAge=0`);
      expect(verdictIn(answer)).toEqual({ ...cached, validatedAt: expect.any(String) });
      expect(numberIn(answer, "x-tokens-charged")).toBe(1);
      await over.service.close();
      await over.vies.stop();
    },
  );
});

describe("a backend that lost its numbers", () => {
  it("is queried again about a previously valid number, and believed only then", async () => {
    const { over, cached } = await withCached(LONG_MS);
    over.vies.setFault("NL", { kind: "invalid" });
    const before = requestsFor(over.vies, HELD);
    const verdict = verdictIn(await over.validate(`${HELD}?maxAge=0`));
    expect(verdict).toEqual({
      vatNumber: HELD,
      valid: false,
      status: "validated",
      checksumValid: true,
      validatedAt: expect.any(String),
    });
    expect(requestsFor(over.vies, HELD) - before).toBe(2);
    // A new number is believed at once.
    expect(verdictIn(await over.validate(NEW)).valid).toBe(false);
    expect(requestsFor(over.vies, NEW)).toBe(1);
    // Once believed, the next refusal is no contradiction.
    expect(verdictIn(await over.validate(`${HELD}?maxAge=0`)).valid).toBe(false);
    expect(requestsFor(over.vies, HELD) - before).toBe(3);
    over.vies.clearFaults();
    expect(verdictIn(await over.validate(`${HELD}?maxAge=0`))).toEqual({
      ...cached,
      validatedAt: expect.any(String),
    });
  });

  it("that recovers before the second query gives the right answer", async () => {
    const { over, cached, losing } = await withLapses();
    losing(1);
    const before = requestsFor(over.vies, HELD);
    expect(verdictIn(await over.validate(`${HELD}?maxAge=0`))).toEqual({
      ...cached,
      validatedAt: expect.any(String),
    });
    expect(requestsFor(over.vies, HELD) - before).toBe(2);
  });

  it("that then falls silent leaves the previous answer", async () => {
    const { over, cached, losing } = await withLapses();
    losing(1, () => over.vies.setFault("NL", { kind: "code", code: "VAT_BLOCKED" }));
    const before = requestsFor(over.vies, HELD);
    expect(verdictIn(await over.validate(`${HELD}?maxAge=0`))).toEqual({
      ...cached,
      status: "stale",
      ageSeconds: expect.any(Number),
    });
    expect(requestsFor(over.vies, HELD) - before).toBe(2);
    expect(verdictIn(await over.validate(HELD))).toEqual(cached);
  });
});

/** A service with a verdict on {@link HELD}, and a backend that loses it for that many requests. */
async function withLapses() {
  const lapse = { left: 0, onLapse: () => {} };
  const over = await composeOverVies({
    environment: { VIES_DEADLINE_MS: LONG_MS },
    vies: {
      companyOf: () => {
        if (lapse.left === 0) return REGISTERED;
        lapse.left -= 1;
        lapse.onLapse();
        return "unknown";
      },
    },
  });
  return {
    over,
    cached: verdictIn(await over.validate(HELD)),
    losing: (left: number, onLapse = () => {}) => Object.assign(lapse, { left, onLapse }),
  };
}
