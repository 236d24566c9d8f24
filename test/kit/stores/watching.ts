import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import { Delivery } from "../../../src/monitors/delivery.ts";
import type { MonitorOwner } from "../../../src/monitors/stored.ts";
import { decisions, type OpenStore, StoreFixture } from "./fixture.ts";
import {
  baseline,
  changesOf,
  eventsOf,
  monitor,
  newCompanies,
  newMonitorId,
  newOwner,
  noteComparison,
  watching,
} from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const MONTH_MS = 31 * 86_400_000;
const BOUNDS = { maxWaiting: 100, maxToOneAddress: 10 };

/** Monitored companies and waiting changes, as their accounts see them. */
export function watchedCompanies(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  describe("the companies that an account is shown", () => {
    const shownTo = ({ accountId }: MonitorOwner, numbers: readonly KvkNumber[], limit: number) =>
      store.monitors.showCompanies(accountId, numbers, limit);

    it("are as many different ones a month as its limit, from any number of connections at once", async () => {
      const { accountId } = await newOwner(fixture, store);
      const stores = [store, await fixture.connect(), await fixture.connect()];
      const numbers = newCompanies(40);
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, nth) =>
          stores[nth % 3]?.monitors.showCompanies(accountId, numbers.slice(nth * 3, nth * 3 + 7), 17),
        ),
      );
      const shown = new Set(answers.flatMap((answer) => answer ?? []));
      expect(shown.size).toBe(17);
      // Those that were shown are shown again, and no other.
      expect(new Set(await stores[1]?.monitors.showCompanies(accountId, numbers, 17))).toEqual(shown);
      expect(await stores[2]?.monitors.showCompanies(accountId, numbers, 18)).toHaveLength(18);
      expect(new Set(await store.monitors.showCompanies(accountId, numbers, 3)).size).toBe(18);
    });

    it("are other ones in the next month, and for each account, in the order of the numbers", async () => {
      const [owner, other] = [await newOwner(fixture, store), await newOwner(fixture, store)];
      const numbers = newCompanies(3);
      const [first, second, third] = numbers as [KvkNumber, KvkNumber, KvkNumber];
      expect(await shownTo(owner, [third, first], 2)).toEqual([third, first]);
      expect(await shownTo(owner, numbers, 2)).toEqual([first, third]);
      expect(await shownTo(other, numbers, 2)).toEqual([first, second]);
      expect(await shownTo(owner, [], 2)).toEqual([]);
      expect(await shownTo(other, numbers, 0)).toEqual([first, second]);
      fixture.nowMs += MONTH_MS;
      expect(await shownTo(owner, numbers, 2)).toEqual([first, second]);
      expect(await shownTo({ accountId: "acc_none", keyId: "" }, numbers, 2)).toEqual([]);
    });

    it("do not take a place again after a monitor was removed and added", async () => {
      const { owner, numbers, monitors } = await watching(fixture, store, "endless", 2);
      expect(await shownTo(owner, numbers, 2)).toEqual(numbers);
      await store.monitors.removeMonitor(owner, monitors[0]?.id ?? "");
      await monitor(store, owner, numbers);
      expect(await shownTo(owner, numbers, 2)).toEqual(numbers);
      const others = newCompanies(1);
      expect(await shownTo(owner, [...others, ...numbers], 2)).toEqual(numbers);
    });

    it("are forgotten with the company, after some months, and with the account", async () => {
      const owner = await newOwner(fixture, store);
      const numbers = newCompanies(2);
      const [first = "" as KvkNumber] = numbers;
      await shownTo(owner, numbers, 2);
      await store.suppressed.forget({ kvkNumber: first, vatNumbers: [], forgottenAtMs: fixture.nowMs });
      const others = newCompanies(1);
      expect(await shownTo(owner, others, 2)).toEqual(others);
    });
  });

  describe("a monitor", () => {
    const comparisonsOf = async (owner: MonitorOwner) =>
      (await store.monitors.monitors(owner, "", 9)).monitors.map(({ comparisons }) => comparisons);

    it("says with which origins its company is compared, and when", async () => {
      const owner = await newOwner(fixture, store);
      const [kvkNumber = "" as KvkNumber] = newCompanies(1);
      const recency = { asOfMs: 5, serialMs: 10 };
      const first = ["gleif", "import:fabel", "kvk-api"].map((origin) =>
        baseline(kvkNumber, recency, { name: "Fabel B.V.", isActive: true }, origin),
      );
      const nowMs = fixture.nowMs;
      const [added] = await store.monitors
        .addMonitors(owner, [kvkNumber], [newMonitorId()], {}, first, 9)
        .then((all) => (typeof all === "string" ? [] : all));
      const atFirst = [
        { origin: "gleif", atMs: nowMs },
        { origin: "import:fabel", atMs: nowMs },
        { origin: "kvk-api", atMs: 5 },
      ];
      expect(added).toMatchObject({ comparisons: atFirst });
      expect(await comparisonsOf(owner)).toEqual([atFirst]);

      // A later snapshot has it from one of them alone.
      const [gleif] = first;
      if (gleif === undefined) throw new Error("no baseline");
      const next = { ...gleif, serialMs: 20 };
      await store.monitors.recordObservations([
        { replaces: { asOfMs: 5, serialMs: 10 }, baseline: next, changes: [] },
      ]);
      await noteComparison(store, { serialMs: 20, comparedAtMs: nowMs + 7 });
      expect(await comparisonsOf(owner)).toEqual([
        [
          { origin: "gleif", atMs: nowMs + 7 },
          { origin: "kvk-api", atMs: 5 },
        ],
      ]);
    });

    it("says so of test keys too, and says nothing about a company that no origin has", async () => {
      const owner = await newOwner(fixture, store);
      const numbers = newCompanies(1);
      await store.monitors.addMonitors(owner, numbers, numbers.map(newMonitorId), {}, [], 9);
      expect(await comparisonsOf(owner)).toEqual([[]]);
      const test = { ...owner, isTest: true } as const;
      await store.monitors.addMonitors(test, numbers, numbers.map(newMonitorId), {}, [], 9);
      expect(await comparisonsOf(test)).toEqual([[{ origin: "import:test", atMs: fixture.nowMs }]]);
    });

    it("counts once for the round of a source, whatever the number of its accounts", async () => {
      const numbers = newCompanies(3);
      const before = await store.monitors.liveFigures();
      for (let nth = 0; nth < 2; nth++) await monitor(store, await newOwner(fixture, store), numbers);
      expect((await store.monitors.liveFigures()).companies - before.companies).toBe(3);
      await store.monitors.storeInsolvency(numbers[0] as KvkNumber, { observedAtMs: fixture.nowMs + 9 });
      await store.live.storeCompany(numbers[1] ?? "", null, fixture.nowMs + 8);
      expect((await store.monitors.liveFigures()).answeredAtMs).toEqual({
        "kvk-api": fixture.nowMs + 8,
        "kvk-open-data": fixture.nowMs + 9,
      });
    });
  });

  describe("changes that wait for tokens", () => {
    /** Delivers what is due, as a process does. */
    async function deliverAll(): Promise<void> {
      const { metering, monitors } = store;
      const delivery = new Delivery({
        store: monitors,
        meter: {
          decideUnawaited: async (changes) => {
            const [decision] = await decisions(metering.apply([changes]));
            if (decision === undefined) throw new Error("no decision");
            return decision;
          },
        },
        onError: (error) => {
          throw error;
        },
      });
      while (await delivery.deliverSome(new AbortController().signal));
    }
    const waiting = async () => (await store.people.waitingChanges(10)).map(({ accountId }) => accountId);
    let mails = 0;
    const mail = (accountId: string, bounds = BOUNDS) =>
      store.people.addOnce(
        { id: `wait ${++mails}`, kind: "changes-wait", accountId, language: "nl" },
        "hash",
        bounds,
      );

    it("are reported once for each period of waiting, whatever the number of changes and processes", async () => {
      const { owner, numbers } = await watching(fixture, store, "two", 1);
      const { accountId } = owner;
      await changesOf(store, numbers, 1);
      await changesOf(store, numbers, 2);
      await deliverAll();
      expect(await waiting()).toEqual([]);
      await changesOf(store, numbers, 3);
      await deliverAll();
      expect(await eventsOf(store, owner)).toHaveLength(2);
      expect(await waiting()).toEqual([accountId]);
      expect(await mail(accountId, { ...BOUNDS, maxWaiting: 0 })).toBe("full");
      const added = await Promise.all([1, 2, 3].map(() => mail(accountId)));
      expect([...added].sort()).toEqual(["added", "repeated", "repeated"]);
      const claim = { leaseMs: 1, tokenHash: "none" };
      expect(await store.people.claimMail(claim)).toMatchObject({ kind: "changes-wait", language: "nl" });
      for (const recency of [4, 5]) {
        await changesOf(store, numbers, recency);
        fixture.nowMs += 60_000;
        await deliverAll();
        expect(await waiting()).toEqual([]);
        expect(await mail(accountId)).toBe("repeated");
      }
      // The tokens of the next month pay for some: the others still wait.
      fixture.nowMs += MONTH_MS;
      await deliverAll();
      expect(await eventsOf(store, owner)).toHaveLength(4);
      expect(await waiting()).toEqual([]);
      fixture.nowMs += MONTH_MS;
      await deliverAll();
      expect(await eventsOf(store, owner)).toHaveLength(5);
      await changesOf(store, numbers, 6);
      await deliverAll();
      await changesOf(store, numbers, 7);
      await deliverAll();
      expect(await waiting()).toEqual([accountId]);
      expect(await mail(accountId)).toBe("added");
    });

    it("are reported for the limit that the account has set, and no longer when it is raised", async () => {
      const { owner, numbers } = await watching(fixture, store, "endless", 1);
      const { accountId } = owner;
      await store.monitors.setMonitorAccount(accountId, { maxTokens: 0 });
      await changesOf(store, numbers, 1);
      await deliverAll();
      expect(await waiting()).toEqual([accountId]);
      await store.monitors.setMonitorAccount(accountId, { maxTokens: 1 });
      await deliverAll();
      expect(await waiting()).toEqual([]);
      expect(await mail(accountId)).toBe("repeated");
      await changesOf(store, numbers, 2);
      await deliverAll();
      expect(await waiting()).toEqual([accountId]);
    });

    it("are not reported for an account that is suspended, deleted, or whose monitors were removed", async () => {
      const suspended = await watching(fixture, store, "endless", 1);
      await changesOf(store, suspended.numbers, 1);
      await store.accounts.setSuspended(suspended.owner.accountId, true, NOW);
      await deliverAll();
      expect(await waiting()).toEqual([]);
      const { owner, numbers, monitors } = await watching(fixture, store, "endless", 1);
      await store.monitors.setMonitorAccount(owner.accountId, { maxTokens: 0 });
      await changesOf(store, numbers, 1);
      await deliverAll();
      expect(await waiting()).toEqual([owner.accountId]);
      await store.monitors.removeMonitor(owner, monitors[0]?.id ?? "");
      fixture.nowMs += 60_000;
      await deliverAll();
      expect(await waiting()).toEqual([]);
    });
  });
}
