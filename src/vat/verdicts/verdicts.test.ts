import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  DAY,
  MemoryStore,
  NOW_MS,
  SECOND,
  stage,
  kept as storedAnswers,
} from "../../../test/kit/verdicts.ts";
import { answered, numberOf } from "../../../test/kit/viesResults.ts";
import { resultOfCode, UNREACHABLE } from "../vies/codes.ts";
import type { ViesResult } from "../vies/results.ts";

const PL = numberOf("PL", 1);
const EU = { countryCode: "EU", national: "123456789" };
const VALID = answered(true);
const REFUSED = answered(false);
const AWAY = resultOfCode("MS_UNAVAILABLE");

/** The verdict with a stored response and these VIES results. */
async function verdictAfter(viesResults: readonly ViesResult[], held?: ReturnType<typeof storedAnswers>) {
  const { verdicts, store, asked } = stage({ words: viesResults });
  if (held !== undefined) store.put(PL.vatNumber, held);
  const verdict = await verdicts.fromVies(PL);
  return { verdict, store, timesAsked: asked.length, now: store.held.get(PL.vatNumber) };
}

describe("an invalid result for a previously valid number", () => {
  const before = storedAnswers(true, DAY, { name: "Made up" });

  it("is accepted when VIES repeats it while the previous result is stored", async () => {
    const { verdict, timesAsked, now } = await verdictAfter([REFUSED, REFUSED], before);
    expect(verdict).toMatchObject({ status: "validated", valid: false });
    expect(timesAsked).toBe(2);
    expect(now).toMatchObject({ last: { valid: false, receivedAtMs: NOW_MS }, lastPositive: before });
  });

  it("is neither returned nor stored when VIES reverts it", async () => {
    const { verdict, timesAsked, store, now } = await verdictAfter([REFUSED, VALID], before);
    expect(verdict).toMatchObject({ status: "validated", valid: true });
    expect([timesAsked, store.keeps]).toEqual([2, 1]);
    expect(now?.last.valid).toBe(true);
  });

  it.each(["MS_UNAVAILABLE", "VAT_BLOCKED", "IP_BLOCKED", "INVALID_REQUESTER_INFO", "NEVER_SEEN"])(
    "is ignored, and not stored, if the second request returns %s instead of a verdict",
    async (code) => {
      const { verdict, timesAsked, store, now } = await verdictAfter([REFUSED, resultOfCode(code)], before);
      expect(verdict).toMatchObject({ status: "stale", valid: true, name: "Made up", ageSeconds: 86_410 });
      expect([timesAsked, store.keeps]).toEqual([2, 0]);
      expect(now).toEqual({ last: before, lastPositive: before });
    },
  );

  it("is requested again with a requester too", async () => {
    const { verdicts, store, asked } = stage({
      words: [REFUSED, answered(true, { consultationNumber: "WAPI" })],
    });
    store.put(PL.vatNumber, before);
    expect(await verdicts.consult(PL, EU, "acc")).toMatchObject({
      verdict: { valid: true },
      consultationNumber: "WAPI",
    });
    expect(asked.map(({ requester }) => requester)).toEqual([EU, EU]);
  });

  it("is requested again also if the valid result arrived during the request", async () => {
    const { verdicts, store, asked } = stage();
    const verdict = verdicts.fromVies(PL);
    await turn();
    store.put(PL.vatNumber, storedAnswers(true, 0));
    asked[0]?.answer(REFUSED);
    await expect.poll(() => asked.length, { interval: 1 }).toBe(2);
    asked[1]?.answer(AWAY);
    expect(await verdict).toMatchObject({ status: "stale", valid: true });
  });

  it.each([
    ["nothing is held", undefined],
    ["the last answer was a refusal", storedAnswers(false, DAY)],
    ["the yes is too old to say anything", storedAnswers(true, 30 * DAY + 1)],
  ])("is accepted at once when %s", async (_, held) => {
    const { verdict, timesAsked } = await verdictAfter([REFUSED, VALID], held);
    expect([verdict, timesAsked]).toMatchObject([{ status: "validated", valid: false }, 1]);
  });
});

describe("freshness", () => {
  const HOUR = 3_600 * SECOND;
  const isTold = async (held: ReturnType<typeof storedAnswers>, maxAgeMs?: number, afterMs = 0) => {
    const { verdicts, store, clock } = stage();
    store.put(PL.vatNumber, held);
    clock.nowMs += afterMs;
    const [verdict] = await verdicts.fromStore([PL], maxAgeMs);
    // Memory and store must agree.
    expect(verdicts.fromMemory(PL, maxAgeMs)).toEqual(verdict);
    return verdict?.status === "validated";
  };

  it("lasts an hour for a valid result and five minutes for an invalid one", async () => {
    expect(await isTold(storedAnswers(true, HOUR))).toBe(true);
    expect(await isTold(storedAnswers(true, HOUR + 1))).toBe(false);
    expect(await isTold(storedAnswers(false, 300 * SECOND))).toBe(true);
    expect(await isTold(storedAnswers(false, 300 * SECOND + 1))).toBe(false);
  });

  it("can be shortened by the caller but not extended; 0 always asks VIES", async () => {
    expect(await isTold(storedAnswers(true, 10 * SECOND), 10 * SECOND)).toBe(true);
    expect(await isTold(storedAnswers(true, 10 * SECOND + 1), 10 * SECOND)).toBe(false);
    expect(await isTold(storedAnswers(true, 0), 0)).toBe(false);
    expect(await isTold(storedAnswers(false, 0), 0)).toBe(false);
    expect(await isTold(storedAnswers(true, HOUR + 1), DAY)).toBe(false);
    expect(await isTold(storedAnswers(false, 301 * SECOND), DAY)).toBe(false);
  });

  it("is measured from the time of receipt, not by VIES's clock", async () => {
    for (const validatedAt of ["2001-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z"]) {
      expect(await isTold(storedAnswers(true, HOUR, { validatedAt }))).toBe(true);
      expect(await isTold(storedAnswers(true, HOUR + 1, { validatedAt }))).toBe(false);
    }
  });

  it("is not extended by a clock that was ahead when the response was stored", async () => {
    expect(await isTold(storedAnswers(true, -HOUR - 1))).toBe(false);
    expect(await isTold(storedAnswers(true, -61 * SECOND), 60 * SECOND)).toBe(false);
    const { verdict } = await verdictAfter([UNREACHABLE], storedAnswers(true, -30 * DAY - 1));
    expect(verdict.status).toBe("unvalidated");
  });

  it("returns the verdicts of a batch in order, with one read of the store", async () => {
    const { verdicts, store } = stage();
    const numbers = Array.from({ length: 100 }, (_, index) => numberOf("PL", index));
    for (const [index, { vatNumber }] of numbers.entries()) {
      if (index % 3 > 0) store.put(vatNumber, storedAnswers(index % 3 === 1, 0));
    }
    const given = await verdicts.fromStore(numbers);
    const valid = given.map((verdict) => verdict !== undefined && "valid" in verdict && verdict.valid);
    expect(valid).toEqual(numbers.map((_, index) => index % 3 === 1));
    expect(given.filter((verdict) => verdict === undefined)).toHaveLength(34);
    expect(store.reads).toBe(1);
  });
});

describe("the age of a stale verdict", () => {
  it.each([
    ["since VIES's own time", storedAnswers(true, DAY), 86_410],
    [
      "not below 0 when VIES's clock is ahead",
      storedAnswers(true, DAY, { validatedAt: "2027-01-01T00:00:00.000Z" }),
      0,
    ],
  ])("is in whole seconds %s", async (_, held, ageSeconds) => {
    const { verdict } = await verdictAfter([AWAY], held);
    expect(verdict).toMatchObject({ status: "stale", ageSeconds, validatedAt: held.validatedAt });
  });

  it("is present only for a stale verdict", async () => {
    const { verdict } = await verdictAfter([VALID], storedAnswers(true, DAY));
    expect(verdict).not.toHaveProperty("ageSeconds");
  });
});

describe("a consultation", () => {
  const consultedBefore = async () => {
    const all = stage({ words: [answered(true, { consultationNumber: "WAPI1" }), AWAY] });
    await all.verdicts.consult(PL, EU, "acc_a");
    all.clock.nowMs += DAY;
    return all;
  };

  it("returns its number again to the same account when VIES fails", async () => {
    const { verdicts } = await consultedBefore();
    expect(await verdicts.consult(PL, EU, "acc_a")).toMatchObject({
      verdict: { status: "stale", valid: true },
      consultationNumber: "WAPI1",
    });
  });

  it("does not return its number to other accounts, for other requesters, or without a requester", async () => {
    const { verdicts } = await consultedBefore();
    for (const consulted of [
      await verdicts.consult(PL, EU, "acc_b"),
      await verdicts.consult(PL, { countryCode: "EU", national: "987654321" }, "acc_a"),
      { verdict: await verdicts.fromVies(PL) },
    ]) {
      expect(consulted).toMatchObject({ verdict: { status: "stale" } });
      expect(JSON.stringify(consulted)).not.toContain("WAPI");
    }
  });

  it("returns its number only with its own response", async () => {
    const { verdicts, store } = await consultedBefore();
    store.put(PL.vatNumber, storedAnswers(true, -DAY, { validatedAt: "2026-11-12T00:00:00.000Z" }));
    const consulted = await verdicts.consult(PL, EU, "acc_a");
    expect(consulted).toMatchObject({
      verdict: { status: "stale", validatedAt: "2026-11-12T00:00:00.000Z" },
    });
    expect(consulted).not.toHaveProperty("consultationNumber");
  });

  it("reports why VIES rejects the requester, and stores nothing", async () => {
    const { verdicts, store } = stage({ words: [resultOfCode("INVALID_REQUESTER_INFO")] });
    store.put(PL.vatNumber, storedAnswers(true, DAY));
    expect(await verdicts.consult(PL, EU, "acc")).toEqual({ requesterRefused: "INVALID_REQUESTER_INFO" });
    expect([store.keeps, store.consultations]).toEqual([0, []]);
  });

  it("provides its response to requests without a requester", async () => {
    const { verdicts, asked } = stage({ words: [answered(true, { consultationNumber: "WAPI1" })] });
    await verdicts.consult(PL, EU, "acc");
    const [verdict] = await verdicts.fromStore([PL]);
    expect(verdict).toMatchObject({ status: "validated", valid: true });
    expect(verdict).not.toHaveProperty("consultationNumber");
    expect(asked).toHaveLength(1);
  });

  it("asks VIES despite a fresh stored response", async () => {
    const store = new MemoryStore();
    store.put(PL.vatNumber, storedAnswers(true, 0));
    const { verdicts, asked } = stage({ store, words: [VALID] });
    await verdicts.consult(PL, EU, "acc");
    expect(asked).toHaveLength(1);
  });
});
