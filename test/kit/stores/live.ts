import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { StoreUnavailable } from "../../../src/lib/storeErrors.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const AT_MS = Date.parse(NOW);
const FACTS = JSON.stringify({ name: "Fabel “&” 'B.V.'; -- 🏛", isActive: true });
const NOTHING_OLD = { companiesBeforeMs: 0, searchesBeforeMs: 0, beforeDay: "0000-00-00", maxRows: 100 };

/** The answers and costs of a live registry: storage, replacement and call counts. */
export function liveRegistry(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let count = 0;
  /** A number unique to the calling test. */
  const aNumber = () => String(40_000_000 + ++count);
  /** A day unique to the calling test. */
  const aDay = () =>
    `19${String(10 + Math.floor(++count / 28)).padStart(2, "0")}-01-${String((count % 28) + 1).padStart(2, "0")}`;
  const findCompany = async (kvkNumber: string) => (await store.live.findCompanies([kvkNumber]))[0];

  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  it("stores answers unchanged, including for companies that do not exist, and returns them in the requested order", async () => {
    const [known, absent, notAnswered] = [aNumber(), aNumber(), aNumber()];
    await store.live.storeCompany(known, FACTS, AT_MS);
    await store.live.storeCompany(absent, null, AT_MS + 1);
    expect(await store.live.findCompanies([absent, notAnswered, known, absent])).toEqual([
      { facts: null, answeredAtMs: AT_MS + 1, branches: null, branchesAtMs: null },
      null,
      { facts: FACTS, answeredAtMs: AT_MS, branches: null, branchesAtMs: null },
      { facts: null, answeredAtMs: AT_MS + 1, branches: null, branchesAtMs: null },
    ]);
    expect(await store.live.findCompanies([])).toEqual([]);
    expect(await store.live.findCompanies(["' or 1=1 --", "%"])).toEqual([null, null]);
  });

  it("keeps the newest answer, in any order and from any number of connections", async () => {
    const other = await fixture.connect();
    const number = aNumber();
    const order = Array.from({ length: 30 }, (_, index) => (index * 17) % 30);
    await Promise.all(
      order.map((at, index) =>
        (index % 2 === 0 ? store : other).live.storeCompany(number, `{"at":${at}}`, AT_MS + at),
      ),
    );
    expect(await findCompany(number)).toMatchObject({ facts: '{"at":29}', answeredAtMs: AT_MS + 29 });
  });

  it("keeps branches with their company when a new answer arrives, and not without a company", async () => {
    const number = aNumber();
    const branchAnswer = { facts: '{"with":1}', branches: "[]", branchesAtMs: AT_MS + 5 };
    await store.live.storeBranches(number, AT_MS, branchAnswer);
    expect(await findCompany(number)).toBeNull();
    await store.live.storeCompany(number, FACTS, AT_MS);
    await store.live.storeBranches(number, AT_MS - 1, branchAnswer);
    expect(await findCompany(number)).toMatchObject({ facts: FACTS, branches: null });
    await store.live.storeBranches(number, AT_MS, branchAnswer);
    expect(await findCompany(number)).toEqual({ ...branchAnswer, answeredAtMs: AT_MS });
    await store.live.storeCompany(number, FACTS, AT_MS + 9);
    expect(await findCompany(number)).toEqual({ ...branchAnswer, facts: FACTS, answeredAtMs: AT_MS + 9 });
    await store.live.storeCompany(number, null, AT_MS + 10);
    expect(await findCompany(number)).toEqual({
      facts: null,
      answeredAtMs: AT_MS + 10,
      branches: null,
      branchesAtMs: null,
    });
  });

  it("lists the companies refreshed most often, and those refreshed since a time, page by page", async () => {
    const own = new StoreFixture(open, NOW);
    const state = await own.connect();
    for (const [number, times] of [
      ["00000003", 1],
      ["00000001", 3],
      ["00000002", 2],
    ] as const) {
      for (let at = 1; at <= times; at++) await state.live.storeCompany(number, FACTS, AT_MS + at);
    }
    await state.live.storeCompany("00000004", null, AT_MS + 9);
    expect(await state.live.mostRenewed(2)).toEqual(["00000001", "00000002"]);
    expect(await state.live.mostRenewed(9)).toEqual(["00000001", "00000002", "00000003"]);
    const since = async (atMs: number, after: string, most: number) =>
      (await state.live.answeredSince(atMs, after, most)).map(({ kvkNumber }) => kvkNumber);
    expect(await since(AT_MS + 1, "", 2)).toEqual(["00000001", "00000002"]);
    expect(await since(AT_MS + 1, "00000002", 2)).toEqual(["00000003"]);
    expect(await since(AT_MS + 2, "", 9)).toEqual(["00000001", "00000002"]);
    expect(await state.live.answeredSince(AT_MS + 3, "", 9)).toEqual([
      { kvkNumber: "00000001", facts: FACTS, answeredAtMs: AT_MS + 3, branches: null, branchesAtMs: null },
    ]);
    await own.close();
  });

  it("keeps the newest page of a search", async () => {
    const criteria = `{"q":"${aNumber()}"}`;
    expect(await store.live.findSearch(criteria)).toBeNull();
    await store.live.storeSearch(criteria, { page: "new", foundAtMs: AT_MS + 1 });
    await store.live.storeSearch(criteria, { page: "old", foundAtMs: AT_MS });
    expect(await store.live.findSearch(criteria)).toEqual({ page: "new", foundAtMs: AT_MS + 1 });
  });

  it("deletes expired answers, oldest first and at most the requested number", async () => {
    const own = new StoreFixture(open, NOW);
    const state = await own.connect();
    const numbers = Array.from({ length: 5 }, aNumber);
    for (const [index, number] of numbers.entries()) {
      await state.live.storeCompany(number, FACTS, AT_MS + index);
      await state.live.storeSearch(number, { page: "[]", foundAtMs: AT_MS + index });
    }
    for (const day of ["2026-05-03", "2026-05-04"]) {
      await state.live.spendCall(day, 9);
      const quota = { subject: "hash", day, holder: "one", inProgress: 0, misses: 3, wanted: 0, most: 9 };
      await state.live.holdPermits({ ...quota, nowMs: AT_MS, lapsesAtMs: AT_MS });
    }
    const tooOld = {
      companiesBeforeMs: AT_MS + 4,
      searchesBeforeMs: AT_MS + 3,
      beforeDay: "2026-05-04",
      maxRows: 2,
    };
    const left = async () => [
      (await state.live.findCompanies(numbers)).map((stored) => stored !== null),
      await Promise.all(numbers.map(async (number) => (await state.live.findSearch(number)) !== null)),
    ];
    await state.live.clearLive(tooOld);
    expect(await left()).toEqual([
      [false, false, true, true, true],
      [false, false, true, true, true],
    ]);
    await state.live.clearLive(tooOld);
    await state.live.clearLive(tooOld);
    expect(await left()).toEqual([
      [false, false, false, false, true],
      [false, false, false, true, true],
    ]);
    expect((await state.live.spentCalls("2026-05-03")).all).toBe(0);
    expect((await state.live.spentCalls("2026-05-04")).all).toBe(1);
    const leftOf = async (day: string) => {
      const quota = { subject: "hash", day, holder: "two", inProgress: 0, misses: 0, wanted: 9, most: 9 };
      return (await state.live.holdPermits({ ...quota, nowMs: AT_MS, lapsesAtMs: AT_MS })).granted;
    };
    expect([await leftOf("2026-05-03"), await leftOf("2026-05-04")]).toEqual([9, 6]);
    await own.close();
  });

  it("forgets a company: deletes its data, stores nothing again, and shows it in the list and its mark", async () => {
    const [number, other] = [aNumber(), aNumber()];
    const answer = { valid: true, validatedAt: NOW, receivedAtMs: AT_MS, name: "Vergeten" };
    await store.live.storeCompany(number, FACTS, AT_MS);
    await store.live.storeCompany(other, FACTS, AT_MS);
    await store.live.storeSearch(number, { page: "Vergeten", foundAtMs: AT_MS });
    await store.verdicts.storeVerdict("NL000000001B01", answer);
    await store.verdicts.storeVerdict("NL000000002B01", answer);
    const marks = [await store.suppressed.suppressionMark()];
    await store.suppressed.forget({
      kvkNumber: number,
      vatNumbers: ["NL000000001B01"],
      forgottenAtMs: AT_MS,
    });
    marks.push(await store.suppressed.suppressionMark());
    await store.live.storeCompany(number, FACTS, AT_MS + 1);
    expect(await store.live.findCompanies([number, other])).toMatchObject([null, { facts: FACTS }]);
    expect(await store.live.findSearch(number)).toBeNull();
    expect(await store.verdicts.findVerdicts(["NL000000001B01", "NL000000002B01"])).toMatchObject([
      null,
      { last: answer },
    ]);
    await store.suppressed.forget({
      kvkNumber: number,
      vatNumbers: ["NL000000003B01"],
      forgottenAtMs: AT_MS + 1,
    });
    marks.push(await store.suppressed.suppressionMark());
    expect(await store.suppressed.suppressedCompanies()).toEqual([
      {
        kvkNumber: number,
        vatNumbers: ["NL000000001B01", "NL000000003B01"],
        forgottenAtMs: AT_MS + 1,
      },
    ]);
    expect(await store.suppressed.undoForget(number)).toBe(true);
    expect(await store.suppressed.undoForget(number)).toBe(false);
    marks.push(await store.suppressed.suppressionMark());
    expect(new Set(marks).size).toBe(3);
    expect(await store.suppressed.suppressedCompanies()).toEqual([]);
    await store.live.storeCompany(number, FACTS, AT_MS + 2);
    expect(await findCompany(number)).toMatchObject({ facts: FACTS });
  });

  it("is durable, and visible on every connection", async () => {
    const own = new StoreFixture(open, NOW);
    const first = await own.connect();
    const number = aNumber();
    await first.live.storeCompany(number, FACTS, AT_MS);
    await first.suppressed.forget({ kvkNumber: "00000001", vatNumbers: [], forgottenAtMs: AT_MS });
    await first.close();
    const second = await own.connect();
    expect(await second.live.findCompanies([number])).toMatchObject([{ facts: FACTS }]);
    expect(await second.suppressed.suppressedCompanies()).toMatchObject([{ kvkNumber: "00000001" }]);
    await own.close();
  });

  it("rejects everything as unavailable once closed", async () => {
    const other = await fixture.connect();
    await other.close();
    const calls = [
      () => other.live.findCompanies([aNumber()]),
      () => other.live.storeCompany(aNumber(), FACTS, AT_MS),
      () => other.live.spendCall(aDay(), 5),
      () => other.live.clearLive(NOTHING_OLD),
      () => other.suppressed.suppressedCompanies(),
    ];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(StoreUnavailable);
  });
}
