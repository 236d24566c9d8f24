/** Each signal of the Mutatieservice about a monitored company leads to new data, whatever fails meanwhile. */
import { describe, expect, it } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import type { Fault } from "../../src/demo/kvk/faults.ts";
import type { KvkSimulator } from "../../src/demo/kvk/server.ts";
import { SIMULATED_SUBSCRIPTION } from "../../src/demo/kvk/signals.ts";
import { Refreshes } from "../../src/kvk/mutations/refreshes.ts";
import { SignalPulls } from "../../src/kvk/mutations/signalPulls.ts";
import { paidCalls } from "../kit/kvk.ts";
import { simulator } from "../kit/kvkSimulator.ts";
import { LEASE_MS, monitoring, type Node, nodeOf, stateForSources, step } from "../kit/monitorSources.ts";
import type { StoreFixture } from "../kit/stores/fixture.ts";
import { newCompanies } from "../kit/stores/monitorFixture.ts";

const PAGE_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const factsOf = (kvkNumber: KvkNumber, name = "Fabel"): CompanyFacts => ({ kvkNumber, name, isActive: true });

interface Setting {
  readonly fixture: StoreFixture;
  readonly kvk: KvkSimulator;
  readonly numbers: readonly KvkNumber[];
  readonly refusals: string[];
  node(options?: Parameters<typeof nodeOf>[2]): Promise<Node>;
  pullsOf(node: Node, subscription?: string): SignalPulls;
  pull(node: Node, subscription?: string): Promise<number | undefined>;
  refresh(node: Node): Promise<number | undefined>;
}

/** A service that has read all signals so far, with `count` companies in KVK. */
async function listening(count: number): Promise<Setting> {
  const fixture = stateForSources();
  const numbers = newCompanies(count);
  const kvk = await simulator({ companies: numbers.map((kvkNumber) => factsOf(kvkNumber)) });
  const now = () => fixture.nowMs;
  const refusals: string[] = [];
  const setting: Setting = {
    fixture,
    kvk,
    numbers,
    refusals,
    node: (options) => nodeOf(fixture, kvk, options),
    pullsOf: ({ api, store }, subscription = SIMULATED_SUBSCRIPTION) =>
      new SignalPulls({
        source: { signals: (...query) => api.signals(subscription, ...query) },
        store: store.monitorSources,
        onConfiguration: (reason) => refusals.push(reason),
        now,
      }),
    pull: (node, subscription) => step(node, "signals", setting.pullsOf(node, subscription)),
    refresh: ({ companies, store, ...rest }) =>
      step(
        { companies, store, ...rest },
        "refreshes",
        new Refreshes({ companies, store: store.monitorSources, now }),
      ),
  };
  await setting.pull(await setting.node());
  return setting;
}

/** Adds signals that are registered now, and lets some time pass. */
function signal({ fixture, kvk }: Setting, kvkNumbers: readonly KvkNumber[]): void {
  for (const kvkNumber of kvkNumbers) kvk.signals.add({ kvkNumber, atMs: fixture.nowMs });
  fixture.nowMs += 3 * MINUTE_MS;
}

/** Reads signals until all were read. */
async function pullAll(setting: Setting, node: Node): Promise<void> {
  for (;;) {
    const waitMs = await setting.pull(node);
    if (waitMs === undefined || waitMs >= MINUTE_MS) return;
    expect(waitMs).toBeGreaterThanOrEqual(PAGE_EVERY_MS);
    setting.fixture.nowMs += waitMs;
  }
}

const refreshed = ({ log }: KvkSimulator) =>
  log.filter(({ product }) => product === "basisprofiel").map(({ requested }) => requested);
const nameOf = async ({ store }: Node, kvkNumber: string) => {
  const [stored] = await store.live.findCompanies([kvkNumber]);
  return stored?.facts == null ? undefined : String(JSON.parse(stored.facts).name);
};

describe("a signal", () => {
  it("about a monitored company leads to one refresh; others are skipped", async () => {
    const setting = await listening(4);
    const { kvk, numbers, fixture } = setting;
    const node = await setting.node();
    const [one, two, unmonitored] = numbers as [KvkNumber, KvkNumber, KvkNumber];
    await monitoring(fixture, node, [one, two]);
    kvk.register.put(factsOf(one, "Nieuwe Fabel"));
    signal(setting, [one, unmonitored, two, one]);
    await pullAll(setting, node);
    await setting.refresh(node);
    expect(refreshed(kvk).sort()).toEqual([one, two].sort());
    expect(await nameOf(node, one)).toBe("Nieuwe Fabel");
    for (let count = 0; count < 15; count++) {
      fixture.nowMs += MINUTE_MS;
      await pullAll(setting, node);
      await setting.refresh(node);
    }
    expect(refreshed(kvk)).toHaveLength(2);
    signal(setting, [two]);
    await pullAll(setting, node);
    await setting.refresh(node);
    expect(refreshed(kvk)).toHaveLength(3);
  });

  it("about a branch refreshes the branches too", async () => {
    const setting = await listening(0);
    const { kvk, fixture } = setting;
    const node = await setting.node();
    const company = { ...factsOf(newCompanies(1)[0] as KvkNumber), branchCount: 2 };
    const branches = ["990000000011", "990000000022"].map((branchNumber, index) => ({
      branchNumber,
      name: "Fabel",
      isMain: index === 0,
      isActive: true,
    }));
    kvk.register.put({ ...company, branches });
    const { kvkNumber } = company;
    await monitoring(fixture, node, [kvkNumber]);
    kvk.signals.add({
      kvkNumber,
      type: "SignaalGewijzigdeVestiging",
      branchNumber: "990000000022",
      atMs: fixture.nowMs,
    });
    fixture.nowMs += 3 * MINUTE_MS;
    await pullAll(setting, node);
    await setting.refresh(node);
    const [stored] = await node.store.live.findCompanies([kvkNumber]);
    expect(stored?.branches).toContain("990000000022");
  });

  it("is not lost between pages when the process is killed, and none leads to a second refresh", async () => {
    const setting = await listening(1_200);
    const { kvk, numbers, fixture } = setting;
    const node = await setting.node({ dailyCalls: 2_000 });
    const monitored = numbers.filter((_, index) => index % 40 === 7);
    await monitoring(fixture, node, monitored);
    signal(setting, numbers);
    // Each process is killed after it stored the signals of a page, before it stores its progress.
    for (let page = 0; page < 3; page++) {
      const { turns } = node.store;
      fixture.nowMs += PAGE_EVERY_MS;
      const turn = await turns.takeTurn("signals", LEASE_MS, 0);
      if (typeof turn === "number") throw new Error("there is no turn");
      await setting.pullsOf(node).run(turn, new AbortController().signal);
      fixture.nowMs += LEASE_MS;
      await setting.pull(page === 1 ? await setting.node() : node);
    }
    await pullAll(setting, node);
    for (let turn = 0; turn < 5; turn++) await setting.refresh(turn % 2 === 0 ? node : await setting.node());
    expect(refreshed(kvk).sort()).toEqual([...monitored].sort());
    expect(kvk.counts.products.abonnementen.requests).toBeGreaterThanOrEqual(7);
  });

  it("is complete only when its refresh is stored: an outage is tried again", async () => {
    const setting = await listening(3);
    const { kvk, numbers, fixture } = setting;
    const node = await setting.node();
    await monitoring(fixture, node, numbers);
    signal(setting, numbers);
    await pullAll(setting, node);
    kvk.setFault("basisprofiel", { kind: "gateway", status: 503 });
    for (let count = 0; count < 4; count++) {
      await setting.refresh(node);
      fixture.nowMs += MINUTE_MS;
    }
    expect(await Promise.all(numbers.map((kvkNumber) => nameOf(node, kvkNumber)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    kvk.clearFaults();
    fixture.nowMs += HOUR_MS;
    const restarted = await setting.node();
    await setting.refresh(restarted);
    for (const kvkNumber of numbers) expect(await nameOf(restarted, kvkNumber)).toBe("Fabel");
    expect(await restarted.store.monitorSources.dueSignals(9)).toEqual([]);
  });

  it("waits for the next day when the day's calls are used up", async () => {
    const setting = await listening(5);
    const { kvk, numbers, fixture } = setting;
    const node = await setting.node({ dailyCalls: 2 });
    await monitoring(fixture, node, numbers);
    signal(setting, numbers);
    await pullAll(setting, node);
    expect(await setting.refresh(node)).toBeGreaterThan(0);
    expect(paidCalls(kvk)).toBe(2);
    fixture.nowMs += DAY_MS;
    await setting.refresh(node);
    fixture.nowMs += DAY_MS;
    await setting.refresh(node);
    expect(refreshed(kvk).sort()).toEqual([...numbers].sort());
  });

  it("about a suppressed company leads to no call", async () => {
    const setting = await listening(1);
    const { kvk, numbers, fixture } = setting;
    const node = await setting.node();
    await monitoring(fixture, node, numbers);
    signal(setting, numbers);
    await pullAll(setting, node);
    const [kvkNumber = ""] = numbers;
    await node.store.suppressed.forget({ kvkNumber, vatNumbers: [], forgottenAtMs: fixture.nowMs });
    await setting.refresh(node);
    expect(refreshed(kvk)).toEqual([]);
  });
});

describe("the Mutatieservice", () => {
  const faults: readonly Fault[] = [
    { kind: "html" },
    { kind: "html", status: 200 },
    { kind: "code", code: "INTERNAL" },
    { kind: "gateway", status: 502 },
    { kind: "gateway", status: 401 },
    { kind: "gateway", status: 403 },
    { kind: "gateway", status: 404 },
    { kind: "tooMany" },
    { kind: "reset" },
    { kind: "truncated" },
    { kind: "cutJson" },
    { kind: "hang" },
    { kind: "deviate", field: "signalen", value: "geen" },
    { kind: "deviate", field: "totaalPaginas", value: null },
    { kind: "deviate", field: "totaalPaginas", value: 1e12 },
  ];
  it.each(faults)("loses no signal by %j", async (fault) => {
    const setting = await listening(1);
    const { kvk, numbers, fixture } = setting;
    const node = await setting.node(fault.kind === "hang" ? { callWithinMs: 100 } : {});
    await monitoring(fixture, node, numbers);
    signal(setting, numbers);
    kvk.setFault("abonnementen", fault);
    expect(await setting.pull(node)).toBe(MINUTE_MS);
    kvk.clearFaults();
    fixture.nowMs += HOUR_MS;
    const patient = await setting.node();
    await pullAll(setting, patient);
    await setting.refresh(patient);
    expect(refreshed(kvk)).toEqual([...numbers]);
  });

  it("that refuses the key or the subscription is reported, and does not pause lookups", async () => {
    const setting = await listening(1);
    const { kvk, numbers, fixture, refusals } = setting;
    const node = await setting.node();
    fixture.nowMs += 3 * MINUTE_MS;
    await setting.pull(node, "another");
    expect(refusals).toEqual(["NO_SUCH_ADDRESS"]);
    kvk.setFault("abonnementen", { kind: "gateway", status: 403 });
    for (let count = 0; count < 6; count++) {
      fixture.nowMs += MINUTE_MS;
      await setting.pull(node);
    }
    expect(refusals).toContain("KEY_REFUSED");
    const [kvkNumber] = numbers as [KvkNumber];
    const caller = { accountId: "acc", deadlineMs: 60_000, maxAgeMs: 0 };
    expect(await node.companies.company(kvkNumber, caller)).toMatchObject({ kind: "hit" });
    expect(node.companies.health).toBe("up");
  });

  it("is read for the time of a downtime, a day at a time", async () => {
    const setting = await listening(4);
    const { kvk, numbers, fixture } = setting;
    const node = await setting.node();
    await monitoring(fixture, node, numbers);
    for (const kvkNumber of numbers) {
      kvk.signals.add({ kvkNumber, atMs: fixture.nowMs });
      fixture.nowMs += 2 * DAY_MS;
    }
    await pullAll(setting, node);
    await setting.refresh(node);
    expect(refreshed(kvk).sort()).toEqual([...numbers].sort());
  });

  it("may show a signal up to ten minutes late", async () => {
    const setting = await listening(1);
    const { kvk, numbers, fixture } = setting;
    const node = await setting.node();
    await monitoring(fixture, node, numbers);
    const atMs = fixture.nowMs;
    fixture.nowMs += 8 * MINUTE_MS;
    await pullAll(setting, node);
    kvk.signals.add({ kvkNumber: numbers[0] ?? "", atMs });
    fixture.nowMs += MINUTE_MS;
    await pullAll(setting, node);
    await setting.refresh(node);
    expect(refreshed(kvk)).toEqual([...numbers]);
  });
});
