import { setImmediate as turn } from "node:timers/promises";
import { assert, describe, expect, it } from "vitest";
import {
  DAY,
  LONG_MS,
  MemoryStore,
  NOW_MS,
  SECOND,
  stage,
  kept as storedAnswers,
  Unavailable,
} from "../../../test/kit/verdicts.ts";
import { answered, numberOf } from "../../../test/kit/viesResults.ts";
import { isVatNumber, parseVatNumber } from "../numbers/parse.ts";
import { UNREACHABLE } from "../vies/codes.ts";

const PL = numberOf("PL", 1);
const VALID = answered(true, { name: "Made up" });
const REFUSED = answered(false);
const SHORT_MS = 30;

describe("a shared request", () => {
  it("serves 1,000 callers with one call and one stored response", async () => {
    const { verdicts, asked, store } = stage();
    const callers = Array.from({ length: 1_000 }, (_, index) =>
      index % 10 === 0 ? verdicts.ofBatchFromVies([PL]).then(([first]) => first) : verdicts.fromVies(PL),
    );
    await turn();
    expect(asked).toHaveLength(1);
    asked[0]?.answer(VALID);
    const returned = await Promise.all(callers);
    expect(new Set(returned.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(returned[0]).toMatchObject({ status: "validated", valid: true, name: "Made up" });
    expect([asked.length, store.keeps, store.reads]).toEqual([1, 1, 1]);
  });

  it("ends with its response; the next caller starts another", async () => {
    const { verdicts, asked } = stage({ words: [UNREACHABLE, VALID] });
    expect(await verdicts.fromVies(PL)).toMatchObject({ status: "unvalidated" });
    expect(await verdicts.fromVies(PL)).toMatchObject({ status: "validated" });
    expect(asked).toHaveLength(2);
  });

  it("does not delay other numbers", async () => {
    const { verdicts, asked } = stage();
    const first = verdicts.fromVies(PL);
    const second = verdicts.fromVies(numberOf("PL", 2));
    asked[1]?.answer(REFUSED);
    expect(await second).toMatchObject({ valid: false });
    asked[0]?.answer(VALID);
    expect(await first).toMatchObject({ valid: true });
  });

  it("is not shared between requesters or accounts, so each gets its own consultation number", async () => {
    const { verdicts, asked, store } = stage();
    const [eu, de] = ["EU", "DE"].map((countryCode) => ({ countryCode, national: "136695976" }));
    if (eu === undefined || de === undefined) throw new Error("no requesters");
    const plain = verdicts.fromVies(PL);
    const consulted = [
      ...Array.from({ length: 100 }, () => verdicts.consult(PL, eu, "acc_a")),
      ...Array.from({ length: 100 }, () => verdicts.consult(PL, eu, "acc_b")),
      ...Array.from({ length: 100 }, () => verdicts.consult(PL, de, "acc_a")),
    ];
    await turn();
    expect(asked.map(({ requester }) => requester)).toEqual([undefined, eu, eu, de]);
    for (const [index, { answer }] of asked.entries()) {
      answer(index === 0 ? VALID : answered(true, { consultationNumber: `WAPI${index}` }));
    }
    expect(await plain).not.toHaveProperty("consultationNumber");
    const numbers = (await Promise.all(consulted)).map(
      (one) => "consultationNumber" in one && one.consultationNumber,
    );
    expect(numbers).toEqual([
      ...Array(100).fill("WAPI1"),
      ...Array(100).fill("WAPI2"),
      ...Array(100).fill("WAPI3"),
    ]);
    const owned = store.consultations.map(({ accountId, consultationNumber }) => [
      accountId,
      consultationNumber,
    ]);
    expect(owned.sort()).toEqual([
      ["acc_a", "WAPI1"],
      ["acc_a", "WAPI3"],
      ["acc_b", "WAPI2"],
    ]);
  });
});

describe("a caller's deadline", () => {
  it("returns the stored verdict while a shared request continues and is stored", async () => {
    const { verdicts, asked, store } = stage({ deadlineMs: SHORT_MS });
    store.put(PL.vatNumber, storedAnswers(true, DAY));
    const batch = verdicts.ofBatchFromVies([PL]);
    const startedMs = performance.now();
    expect(await verdicts.fromVies(PL)).toMatchObject({ status: "stale", valid: true, ageSeconds: 86_410 });
    expect(performance.now() - startedMs).toBeLessThan(LONG_MS / 4);
    expect([asked.length, asked[0]?.deadline.aborted]).toEqual([1, false]);
    asked[0]?.answer(VALID);
    expect(await batch).toMatchObject([{ status: "validated", valid: true }]);
    expect(verdicts.fromMemory(PL)).toMatchObject({ status: "validated", name: "Made up" });
  });

  it("ends the wait even if VIES never responds", async () => {
    const { verdicts, asked } = stage({ deadlineMs: SHORT_MS, batchDeadlineMs: SHORT_MS });
    const returned = await Promise.all([
      verdicts.fromVies(PL),
      verdicts.ofBatchFromVies([PL, numberOf("PL", 2)]),
      verdicts.consult(PL, { countryCode: "EU", national: "123456789" }, "acc"),
    ]);
    const unknown = { status: "unvalidated", checksumValid: false };
    expect(returned).toEqual([unknown, [unknown, unknown], { verdict: unknown }]);
    expect(asked.every(({ deadline }) => deadline.aborted)).toBe(true);
  });

  it("covers a whole batch, whose numbers are requested in parallel", async () => {
    const { verdicts, asked, store } = stage();
    const numbers = Array.from({ length: 100 }, (_, index) => numberOf("PL", index));
    const malformed = parseVatNumber("NL123456789B01");
    assert(isVatNumber(malformed));
    for (const { vatNumber } of numbers.slice(0, 10)) store.put(vatNumber, storedAnswers(false, DAY));
    const batch = verdicts.ofBatchFromVies([...numbers, malformed, ...numbers.slice(90)]);
    await turn();
    expect(asked).toHaveLength(100);
    for (const [index, { answer }] of asked.entries()) answer(index < 50 ? UNREACHABLE : VALID);
    const statuses = (await batch).map(({ status }) => status);
    expect(statuses).toEqual([
      ...Array(10).fill("stale"),
      ...Array(40).fill("unvalidated"),
      ...Array(50).fill("validated"),
      "malformed",
      ...Array(10).fill("validated"),
    ]);
    expect(store.keeps).toBe(50);
  });
});

describe("a response", () => {
  it("is stored before it is returned", async () => {
    const { verdicts, store } = stage({ words: [answered(true, { consultationNumber: "WAPI" })] });
    for (const method of ["storeVerdict", "storeConsultation"] as const) {
      const gate = Promise.withResolvers<void>();
      store.before = (called) => (called === method ? gate.promise : undefined);
      let isTold = false;
      const consulted = verdicts
        .consult(PL, { countryCode: "EU", national: "123456789" }, "acc")
        .then((one) => {
          isTold = true;
          return one;
        });
      for (let count = 0; count < 5; count++) await turn();
      expect(isTold).toBe(false);
      gate.resolve();
      expect(await consulted).toMatchObject({ consultationNumber: "WAPI" });
    }
  });

  it("is available to other processes, and to this one from memory", async () => {
    const { verdicts, store } = stage({ words: [VALID] });
    await verdicts.fromVies(PL);
    const { reads } = store;
    expect(await verdicts.fromStore([PL])).toMatchObject([{ status: "validated" }]);
    expect(store.reads).toBe(reads);
    const other = stage({ store });
    expect(await other.verdicts.fromStore([PL])).toMatchObject([{ status: "validated", name: "Made up" }]);
    expect(other.asked).toEqual([]);
  });
});

describe("a failing store", () => {
  it.each(["findVerdicts", "storeVerdict", "storeConsultation"] as const)(
    "rejects for every caller, and is called again by the next: %s",
    async (method) => {
      const { verdicts, store } = stage({ words: [answered(true, { consultationNumber: "WAPI" })] });
      store.before = (called) => {
        if (called === method) throw new Unavailable();
      };
      const requester = { countryCode: "EU", national: "123456789" };
      const consults = Array.from({ length: 10 }, () => verdicts.consult(PL, requester, "acc"));
      const plain = Array.from({ length: 10 }, () => verdicts.fromVies(PL));
      const batch = verdicts.ofBatchFromVies([PL, numberOf("PL", 2), numberOf("PL", 3)]);
      const outcomes = await Promise.allSettled([...consults, ...plain, batch]);
      const failed = outcomes.map((one) => one.status === "rejected" && one.reason instanceof Unavailable);
      const isPlainToo = method !== "storeConsultation";
      expect(failed).toEqual([...Array(10).fill(true), ...Array(11).fill(isPlainToo)]);
      store.before = () => undefined;
      expect(await verdicts.fromVies(PL)).toMatchObject({ status: "validated" });
    },
  );

  it("leaves no result in memory that was not returned", async () => {
    const { verdicts, store } = stage({ words: [VALID] });
    store.before = (called) => {
      if (called === "storeVerdict") throw new Unavailable();
    };
    await expect(verdicts.fromVies(PL)).rejects.toBeInstanceOf(Unavailable);
    expect(verdicts.fromMemory(PL)).toBeUndefined();
  });

  it("does not cause an unhandled rejection after all callers have left", async () => {
    const { verdicts, asked, store } = stage({ deadlineMs: SHORT_MS });
    expect(await verdicts.fromVies(PL)).toMatchObject({ status: "unvalidated" });
    store.before = () => {
      throw new Unavailable();
    };
    asked[0]?.answer(VALID);
    await turn();
    store.before = () => undefined;
    expect(await verdicts.fromStore([PL])).toEqual([undefined]);
  });
});

describe("an outdated verdict", () => {
  it("is deleted in the background after the stale limit", async () => {
    const { verdicts, store, clock } = stage({ words: [VALID] });
    store.before = (called) => (called === "deleteVerdicts" ? new Promise(() => undefined) : undefined);
    for (let count = 0; count < 50; count++) await verdicts.fromVies(numberOf("PL", count));
    expect(store.forgotten).toEqual([NOW_MS - 30 * DAY]);
    clock.nowMs += 60 * SECOND;
    await verdicts.fromVies(PL);
    await verdicts.fromVies(PL);
    expect(store.forgotten).toEqual([NOW_MS - 30 * DAY, NOW_MS + 60 * SECOND - 30 * DAY]);
  });

  it("is deleted in steps until all are gone", async () => {
    const { verdicts, store } = stage({ words: [VALID] });
    store.steps = 3;
    await verdicts.fromVies(PL);
    await turn();
    expect(store.forgotten).toEqual(Array(4).fill(NOW_MS - 30 * DAY));
  });

  it("is deleted after the next response if deleting failed, without failing a caller", async () => {
    const { verdicts, store } = stage({ words: [VALID] });
    store.before = (called) => {
      if (called === "deleteVerdicts") throw new Unavailable();
    };
    await verdicts.fromVies(PL);
    await turn();
    await verdicts.fromVies(PL);
    expect(store.forgotten).toHaveLength(2);
  });

  it("is never one that is still fresh, even with a shorter stale limit", async () => {
    const lifetimes = { freshForMs: DAY, refusalFreshForMs: 2 * DAY, staleForMs: 0 };
    const { verdicts, store } = stage({ words: [VALID], lifetimes });
    await verdicts.fromVies(PL);
    expect(store.forgotten).toEqual([NOW_MS - 2 * DAY]);
  });
});

describe("the cache", () => {
  it("never exceeds its limit", async () => {
    const { verdicts, store } = stage();
    const numbers = Array.from({ length: 20_001 }, (_, index) => numberOf("PL", index));
    for (const { vatNumber } of numbers) store.put(vatNumber, storedAnswers(true, 0));
    await verdicts.fromStore(numbers.slice(0, 20_000));
    // Uses the first again, so that the second is the least recently used.
    for (const index of [0, 20_000]) await verdicts.fromStore(numbers.slice(index, index + 1));
    const isKnown = (index: number) => verdicts.fromMemory(numbers[index] ?? PL) !== undefined;
    expect([0, 1, 2, 19_999, 20_000].map(isKnown)).toEqual([true, false, true, true, true]);
  });

  it("keeps a newer response when a slow read of the store ends later", async () => {
    const { verdicts, store } = stage({ words: [REFUSED] });
    const old = { last: storedAnswers(true, 10 * SECOND) };
    const gate = Promise.withResolvers<void>();
    const slow = new MemoryStore();
    store.findVerdicts = async (vatNumbers) => {
      if (store.keeps > 0 || vatNumbers.length === 1) return slow.findVerdicts(vatNumbers);
      await gate.promise;
      return vatNumbers.map(() => old);
    };
    const reading = verdicts.fromStore([PL, numberOf("PL", 2)]);
    await verdicts.fromVies(PL);
    gate.resolve();
    await reading;
    expect(verdicts.fromMemory(PL)).toMatchObject({ status: "validated", valid: false });
  });
});
