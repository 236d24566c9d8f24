import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { StoreUnavailable } from "../../../src/lib/storeErrors.ts";
import type { CachedAnswer, CachedAnswers, Consultation } from "../../../src/vat/stored.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const AT_MS = Date.parse(NOW);

function answer(valid: boolean, receivedAtMs: number, more: Partial<CachedAnswer> = {}): CachedAnswer {
  return { valid, validatedAt: new Date(receivedAtMs - 7).toISOString(), receivedAtMs, ...more };
}

/** Answers of VIES and consultations: storage, replacement and expiry. */
export function verdicts(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let count = 0;
  /** A number unique to the calling test. */
  const aNumber = () => `PL${String(1_000_000_000 + ++count)}`;
  const findVerdict = async (vatNumber: string) => (await store.verdicts.findVerdicts([vatNumber]))[0];

  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  it("stores an answer unchanged, and fields that VIES withholds stay absent", async () => {
    const [full, bare, refused] = [aNumber(), aNumber(), aNumber()];
    const stored = answer(true, AT_MS, {
      name: "Zażółć “&” 'Sp. z o.o.'; --",
      address: "Ulica 1, 00-001 Miasto 🏛",
    });
    await store.verdicts.storeVerdict(full, stored);
    await store.verdicts.storeVerdict(bare, answer(true, AT_MS));
    await store.verdicts.storeVerdict(refused, answer(false, AT_MS));
    expect(await findVerdict(full)).toEqual({ last: stored, lastPositive: stored });
    expect(await findVerdict(bare)).toEqual({ last: answer(true, AT_MS), lastPositive: answer(true, AT_MS) });
    expect(await findVerdict(refused)).toEqual({ last: answer(false, AT_MS) });
    expect(await findVerdict(aNumber())).toBeNull();
  });

  it("returns the stored answers of 100 numbers in order, null for none, and twice for a repeated number", async () => {
    const numbers = Array.from({ length: 100 }, aNumber);
    const known = numbers.filter((_, index) => index % 3 !== 0);
    await Promise.all(
      known.map((number, index) =>
        store.verdicts.storeVerdict(number, answer(index % 2 === 0, AT_MS + index)),
      ),
    );
    const requested = [...numbers].reverse();
    const found = await store.verdicts.findVerdicts([...requested, ...requested.slice(0, 5)]);
    expect(found).toHaveLength(105);
    for (const [index, number] of requested.entries()) {
      const at = known.indexOf(number);
      expect(found[index]?.last ?? null).toEqual(at === -1 ? null : answer(at % 2 === 0, AT_MS + at));
    }
    expect(found.slice(100)).toEqual(found.slice(0, 5));
    expect(await store.verdicts.findVerdicts([])).toEqual([]);
  });

  it("treats numbers as plain text, never as a command", async () => {
    const number = aNumber();
    await store.verdicts.storeVerdict(number, answer(true, AT_MS));
    const others = [number.toLowerCase(), `${number}%`, "%", "_", "' or 1=1 --", "", number.slice(0, -1)];
    expect(await store.verdicts.findVerdicts(others)).toEqual(others.map(() => null));
  });

  it("keeps the last positive answer after refusals, with its own name and time", async () => {
    const number = aNumber();
    const yes = answer(true, AT_MS, { name: "Was B.V.", address: "Laan 1, Dorp" });
    await store.verdicts.storeVerdict(number, yes);
    await store.verdicts.storeVerdict(number, answer(false, AT_MS + 10));
    await store.verdicts.storeVerdict(number, answer(false, AT_MS + 20));
    expect(await findVerdict(number)).toEqual({ last: answer(false, AT_MS + 20), lastPositive: yes });
    await store.verdicts.storeVerdict(number, answer(true, AT_MS + 30));
    expect(await findVerdict(number)).toEqual({
      last: answer(true, AT_MS + 30),
      lastPositive: answer(true, AT_MS + 30),
    });
  });

  it("is not changed by an older answer", async () => {
    const number = aNumber();
    const [last, lastPositive] = [answer(false, AT_MS + 10), answer(true, AT_MS, { name: "First" })];
    await store.verdicts.storeVerdict(number, lastPositive);
    await store.verdicts.storeVerdict(number, last);
    await store.verdicts.storeVerdict(number, answer(true, AT_MS + 5, { name: "Late" }));
    await store.verdicts.storeVerdict(number, answer(false, AT_MS + 9));
    expect(await findVerdict(number)).toEqual({ last, lastPositive });
  });

  it("keeps the newest answer, in any order and from any number of connections", async () => {
    const other = await fixture.connect();
    const number = aNumber();
    const answers = Array.from({ length: 40 }, (_, index) =>
      answer(index % 4 !== 3, AT_MS + index, { name: `N${index}` }),
    );
    const mixed = answers.map((_, index) => answers[(index * 17) % 40]).filter((one) => one !== undefined);
    await Promise.all(
      mixed.map((one, index) => (index % 2 === 0 ? store : other).verdicts.storeVerdict(number, one)),
    );
    const found = await findVerdict(number);
    expect(found?.last).toEqual(answers[39]);
    expect(found?.lastPositive?.valid).toBe(true);
    expect(await other.verdicts.findVerdicts([number])).toEqual([found]);
  });

  it("equals a plain model after any sequence of answers", async () => {
    const step = fc.record({
      at: fc.integer({ min: 0, max: 5 }),
      valid: fc.boolean(),
      name: fc.option(fc.constantFrom("A", "B"), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const number = aNumber();
        const expected: CachedAnswers[] = [];
        for (const { at, valid, name } of steps) {
          const next = answer(valid, AT_MS + at, name === undefined ? {} : { name });
          await store.verdicts.storeVerdict(number, next);
          const last = expected.at(-1);
          if (last !== undefined && last.last.receivedAtMs > next.receivedAtMs) continue;
          const lastPositive = valid ? next : last?.lastPositive;
          expected.push({ last: next, ...(lastPositive !== undefined && { lastPositive }) });
        }
        expect(await findVerdict(number)).toEqual(expected.at(-1) ?? null);
      }),
      { numRuns: 30 },
    );
  });

  it("keeps the latest consultation of each account, number and requester, visible to that account only", async () => {
    const { accountId } = await fixture.addAccount(store, "small");
    const { accountId: otherId } = await fixture.addAccount(store, "small");
    const number = aNumber();
    const consultation = (of: Partial<Consultation>): Consultation => ({
      accountId,
      vatNumber: number,
      requester: "NL123456782B90",
      validatedAt: NOW,
      consultationNumber: "WAPIAAAAmadeup00",
      receivedAtMs: AT_MS,
      ...of,
    });
    const [first, later, others] = [
      consultation({}),
      consultation({
        receivedAtMs: AT_MS + 5,
        consultationNumber: "WAPIAAAAmadeup01",
        validatedAt: "2026-05-05T12:00:01.000Z",
      }),
      consultation({ accountId: otherId, consultationNumber: "WAPIAAAAmadeup02" }),
    ];
    await store.verdicts.storeConsultation(first);
    expect(await store.verdicts.consultation(accountId, number, first.requester)).toEqual(first);
    expect(await store.verdicts.consultation(otherId, number, first.requester)).toBeNull();
    await Promise.all([later, others, first].map((one) => store.verdicts.storeConsultation(one)));
    expect(await store.verdicts.consultation(accountId, number, first.requester)).toEqual(later);
    expect(await store.verdicts.consultation(otherId, number, first.requester)).toEqual(others);
    expect(await store.verdicts.consultation(accountId, number, "EU123456789")).toBeNull();
    expect(await store.verdicts.consultation(accountId, aNumber(), first.requester)).toBeNull();
    expect(await findVerdict(number)).toBeNull();
  });

  it("deletes answers before a time and nothing else, a last positive answer by its own age", async () => {
    const { accountId } = await fixture.addAccount(store, "small");
    const requester = "EU123456789";
    const [old, edge, flipped, fresh] = [aNumber(), aNumber(), aNumber(), aNumber()];
    await store.verdicts.storeVerdict(old, answer(true, AT_MS - 1));
    await store.verdicts.storeVerdict(edge, answer(true, AT_MS));
    await store.verdicts.storeVerdict(flipped, answer(true, AT_MS - 1, { name: "Was" }));
    await store.verdicts.storeVerdict(flipped, answer(false, AT_MS + 1));
    await store.verdicts.storeVerdict(fresh, answer(true, AT_MS + 1));
    for (const [vatNumber, receivedAtMs] of [
      [old, AT_MS - 1],
      [edge, AT_MS],
    ] as const) {
      await store.verdicts.storeConsultation({
        accountId,
        vatNumber,
        requester,
        validatedAt: NOW,
        consultationNumber: "WAPI",
        receivedAtMs,
      });
    }
    await store.verdicts.deleteVerdicts(AT_MS);
    const found = await store.verdicts.findVerdicts([old, edge, flipped, fresh]);
    expect(found.map((one) => one?.last.receivedAtMs)).toEqual([undefined, AT_MS, AT_MS + 1, AT_MS + 1]);
    expect(found[2]).toEqual({ last: answer(false, AT_MS + 1) });
    expect(found[3]?.lastPositive).toEqual(answer(true, AT_MS + 1));
    expect(await store.verdicts.consultation(accountId, old, requester)).toBeNull();
    expect(await store.verdicts.consultation(accountId, edge, requester)).not.toBeNull();
    await store.verdicts.deleteVerdicts(AT_MS);
    expect(await findVerdict(edge)).not.toBeNull();
  });

  it("is durable, and visible on every connection", async () => {
    const ownFixture = new StoreFixture(open, NOW);
    const first = await ownFixture.connect();
    const { accountId } = await ownFixture.addAccount(first, "small");
    const number = aNumber();
    const stored = answer(true, AT_MS, { name: "Kept B.V." });
    await first.verdicts.storeVerdict(number, stored);
    await first.verdicts.storeConsultation({
      accountId,
      vatNumber: number,
      requester: "EU123456789",
      validatedAt: stored.validatedAt,
      consultationNumber: "WAPI",
      receivedAtMs: AT_MS,
    });
    await first.close();
    const second = await ownFixture.connect();
    expect(await second.verdicts.findVerdicts([number])).toEqual([{ last: stored, lastPositive: stored }]);
    expect(await second.verdicts.consultation(accountId, number, "EU123456789")).toMatchObject({
      consultationNumber: "WAPI",
    });
    await ownFixture.close();
  });

  it("sums the availability of VIES by state and slot, from concurrent writers, and deletes old slots", async () => {
    const slot = (state: string, slotAtMs: number, answered: number, unanswered: number) => ({
      state,
      slotAtMs,
      answered,
      unanswered,
    });
    const HALF_HOUR = 1_800_000;
    await Promise.all(
      Array.from({ length: 10 }, () =>
        store.verdicts.addViesSlots(
          [slot("NL", AT_MS, 2, 1), slot("DE", AT_MS, 0, 3), slot("NL", AT_MS + HALF_HOUR, 1, 0)],
          AT_MS - HALF_HOUR,
        ),
      ),
    );
    expect(await store.verdicts.viesSlots(AT_MS)).toEqual([
      slot("DE", AT_MS, 0, 30),
      slot("NL", AT_MS, 20, 10),
      slot("NL", AT_MS + HALF_HOUR, 10, 0),
    ]);
    await store.verdicts.addViesSlots([], AT_MS + 1);
    expect(await store.verdicts.viesSlots(0)).toEqual([slot("NL", AT_MS + HALF_HOUR, 10, 0)]);
  });

  it("rejects everything as unavailable once closed, without the number in the message", async () => {
    const other = await fixture.connect();
    await other.close();
    const number = aNumber();
    const calls = [
      () => other.verdicts.findVerdicts([number]),
      () => other.verdicts.storeVerdict(number, answer(true, AT_MS)),
      () => other.verdicts.deleteVerdicts(AT_MS),
      () => other.verdicts.consultation("acc", number, number),
    ];
    for (const call of calls) {
      const error: unknown = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(String(error)).not.toContain(number);
    }
  });
}
