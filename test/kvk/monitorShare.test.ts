/** Monitored companies get at most their share of KVK's calls, and each account its turn. */
import { describe, expect, it } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import type { Fault } from "../../src/demo/kvk/faults.ts";
import type { KvkSimulator } from "../../src/demo/kvk/server.ts";
import { dutchDay } from "../../src/kvk/budget/dutchDay.ts";
import type { CompanyHit } from "../../src/kvk/cache/liveCompanies.ts";
import { Renewals } from "../../src/kvk/monitored/renewals.ts";
import { paidCalls } from "../kit/kvk.ts";
import { simulator } from "../kit/kvkSimulator.ts";
import { monitoring, type Node, nodeOf, stateForSources, step } from "../kit/monitorSources.ts";
import type { StoreFixture } from "../kit/stores/fixture.ts";
import { newCompanies } from "../kit/stores/monitorFixture.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const factsOf = (kvkNumber: KvkNumber): CompanyFacts => ({ kvkNumber, name: "Fabel", isActive: true });

/** A simulator with new companies of several accounts. */
async function companiesOf(...counts: readonly number[]) {
  const groups = counts.map((count) => newCompanies(count));
  const kvk = await simulator({ companies: groups.flat().map(factsOf) });
  return { kvk, groups };
}

const renewalsOf = ({ companies, store }: Node, fixture: StoreFixture, calls: number) =>
  new Renewals({
    companies,
    store: store.monitorSources,
    calls,
    renewAfterMs: DAY_MS / 2,
    now: () => fixture.nowMs,
  });

const renew = async ({ companies }: Node, kvkNumber: KvkNumber | undefined) =>
  kvkNumber === undefined ? undefined : companies.renew(kvkNumber, "monitors", new AbortController().signal);

const renewed = ({ log }: KvkSimulator) =>
  log.filter(({ product }) => product === "basisprofiel").map(({ requested }) => requested);

describe("a share of KVK's calls", () => {
  it("is never exceeded by parallel processes, also after restarts, and begins again each day", async () => {
    const fixture = stateForSources();
    const { kvk, groups } = await companiesOf(9, 9, 9);
    const options = { dailyCalls: 100, monitorCalls: 10 };
    const first = await nodeOf(fixture, kvk, options);
    for (const numbers of groups) await monitoring(fixture, first, numbers);
    const endMs = fixture.nowMs + 2 * DAY_MS;
    const day = dutchDay(fixture.nowMs);
    while (dutchDay(fixture.nowMs) === day) {
      // New processes with nothing in memory.
      const nodes = [first, await nodeOf(fixture, kvk, options)];
      for (let count = 0; count < 4; count++) {
        await Promise.all(nodes.map((node) => step(node, "share", renewalsOf(node, fixture, 10))));
        fixture.nowMs += DAY_MS / 10;
        if (dutchDay(fixture.nowMs) !== day) break;
      }
    }
    const onFirstDay = paidCalls(kvk);
    expect(onFirstDay).toBeLessThanOrEqual(10);
    expect(onFirstDay).toBeGreaterThan(0);
    expect(await first.store.monitorSources.monitorCalls(day)).toBe(onFirstDay);
    for (const work = renewalsOf(first, fixture, 10); fixture.nowMs < endMs; fixture.nowMs += HOUR_MS) {
      await step(first, "share", work);
    }
    expect(paidCalls(kvk)).toBeGreaterThan(onFirstDay);
  });

  it("is not exceeded when every process renews at once", async () => {
    const fixture = stateForSources();
    const { kvk, groups } = await companiesOf(40);
    const nodes: Node[] = [];
    while (nodes.length < 4) nodes.push(await nodeOf(fixture, kvk, { dailyCalls: 100, monitorCalls: 7 }));
    const [numbers = []] = groups;
    const hits: (CompanyHit | undefined)[] = [];
    for (let at = 0; at < numbers.length; at += nodes.length) {
      const renewing = nodes.map((node, index) => renew(node, numbers[at + index]));
      hits.push(...(await Promise.all(renewing)));
    }
    expect(hits.filter((hit) => hit?.kind === "hit")).toHaveLength(7);
    expect(hits.filter((hit) => hit?.kind === "miss" && hit.cause === "budget")).toHaveLength(33);
    expect(paidCalls(kvk)).toBe(7);
    const caller = { accountId: "acc", deadlineMs: 60_000, maxAgeMs: 0 };
    const [last = ""] = numbers.slice(-1);
    expect(await nodes[0]?.companies.company(last as KvkNumber, caller)).toMatchObject({ kind: "hit" });
  });

  it("leaves nothing to monitors when callers have used the day's calls", async () => {
    const fixture = stateForSources();
    const { kvk, groups } = await companiesOf(3);
    const node = await nodeOf(fixture, kvk, { dailyCalls: 2, monitorCalls: 2 });
    const [numbers = []] = groups;
    await monitoring(fixture, node, numbers);
    const day = dutchDay(fixture.nowMs);
    for (let count = 0; count < 2; count++) await node.store.live.spendCall(day, 2);
    expect(await step(node, "share", renewalsOf(node, fixture, 2))).toBeGreaterThan(0);
    expect(paidCalls(kvk)).toBe(0);
  });

  it("renews companies of the accounts in turn, however many each has", async () => {
    const fixture = stateForSources();
    const { kvk, groups } = await companiesOf(30, 2, 30);
    const node = await nodeOf(fixture, kvk);
    for (const numbers of groups) await monitoring(fixture, node, numbers);
    for (let count = 0; count < 12; count++) {
      await step(node, "share", renewalsOf(node, fixture, 1_000));
      fixture.nowMs += 2 * 60_000;
    }
    const perAccount = groups.map(
      (numbers) => renewed(kvk).filter((one) => numbers.some((own) => own === one)).length,
    );
    expect(perAccount[1]).toBe(2);
    expect(Math.abs((perAccount[0] ?? 0) - (perAccount[2] ?? 0))).toBeLessThanOrEqual(1);
    expect(renewed(kvk)).toHaveLength(12);
  });

  it("renews companies without an answer first, then the oldest, each once for all accounts", async () => {
    const fixture = stateForSources();
    const { kvk, groups } = await companiesOf(1_200);
    const node = await nodeOf(fixture, kvk);
    const [numbers = []] = groups;
    await monitoring(fixture, node, numbers);
    await monitoring(fixture, node, numbers.slice(0, 600));
    const [old, older, missing] = [numbers[700], numbers[1_100], numbers[3]] as [
      KvkNumber,
      KvkNumber,
      KvkNumber,
    ];
    for (const [index, kvkNumber] of numbers.entries()) {
      const ageMs = kvkNumber === older ? 9 * DAY_MS : kvkNumber === old ? 8 * DAY_MS : 1_000 + index;
      const facts = JSON.stringify(factsOf(kvkNumber));
      if (kvkNumber !== missing) await node.store.live.storeCompany(kvkNumber, facts, fixture.nowMs - ageMs);
    }
    const work = renewalsOf(node, fixture, 1_000);
    for (let count = 0; count < 6; count++) {
      await step(node, "share", work);
      fixture.nowMs += 2 * 60_000;
    }
    expect(renewed(kvk)).toEqual([missing, older, old]);
    const [stored] = await node.store.live.findCompanies([older]);
    expect(stored?.answeredAtMs).toBeGreaterThan(fixture.nowMs - HOUR_MS);
  });

  it("renews the branches of a company only if they were requested before", async () => {
    const fixture = stateForSources();
    const kvk = await simulator();
    const node = await nodeOf(fixture, kvk);
    const [withBranches] = [...kvk.register.all]
      .map(({ facts }) => facts)
      .filter((facts) => (facts.branches?.length ?? 0) > 2);
    if (withBranches === undefined) throw new Error("no company has branches");
    const { kvkNumber } = withBranches;
    await monitoring(fixture, node, [kvkNumber]);
    const work = renewalsOf(node, fixture, 1_000);
    await step(node, "share", work);
    expect(kvk.counts.products.vestigingen.requests).toBe(0);
    await node.companies.branches(kvkNumber, { accountId: "acc", deadlineMs: 60_000, maxAgeMs: DAY_MS });
    expect(kvk.counts.products.vestigingen.requests).toBe(1);
    fixture.nowMs += DAY_MS;
    await step(node, "share", renewalsOf(node, fixture, 1_000));
    expect(kvk.counts.products.vestigingen.requests).toBe(2);
  });

  const faults: readonly Fault[] = [
    { kind: "html" },
    { kind: "gateway", status: 503 },
    { kind: "code", code: "IPD1003" },
    { kind: "cutJson" },
  ];
  it.each(faults)("keeps the stored answer after %j, and goes on with the next company", async (fault) => {
    const fixture = stateForSources();
    const { kvk, groups } = await companiesOf(2);
    const node = await nodeOf(fixture, kvk);
    const [first, second] = groups.flat() as [KvkNumber, KvkNumber];
    await monitoring(fixture, node, [first, second]);
    const before = JSON.stringify(factsOf(first));
    await node.store.live.storeCompany(first, before, fixture.nowMs - 9 * DAY_MS);
    await node.store.live.storeCompany(second, before, fixture.nowMs - 8 * DAY_MS);
    kvk.setFault("basisprofiel", fault);
    const work = renewalsOf(node, fixture, 1_000);
    await step(node, "share", work);
    expect(await node.store.live.findCompanies([first])).toMatchObject([{ facts: before }]);
    kvk.clearFaults();
    fixture.nowMs += HOUR_MS / 2;
    await step(node, "share", work);
    expect(renewed(kvk).at(-1)).toBe(second);
  });
});
