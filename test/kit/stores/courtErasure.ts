import { afterAll, beforeEach, expect, it } from "vitest";
import { eraseRemoved } from "../../../src/app/state/eraseRemoved.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { Changes } from "../../../src/contract/eventTypes.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import { storedResponse } from "../../../src/http/idempotency.ts";
import { noteRemoved } from "../../../src/insolvency/removed.ts";
import { linesIn, storedResults } from "../../../src/jobs/results.ts";
import type { MonitorOwner } from "../../../src/monitors/stored.ts";
import type { WatchedFields } from "../../../src/monitors/types.ts";
import { call, decisions, type OpenStore, StoreFixture } from "./fixture.ts";
import { begun, charged, chunk, LEASE_MS } from "./listFixture.ts";
import type { ChangeState } from "./monitorCourt.ts";
import { baseline, deliver, eventsOf, watching } from "./monitorFixture.ts";

const NOW = "2026-11-05T12:00:00.000Z";
const HOUR_MS = 3_600_000;
const COURT = "court-register";
const REMOVED = { since: "2026-11-03", court: "Rechtbank Den Haag", caseNumber: "F.09/26/7" };
const KEPT = { ...REMOVED, caseNumber: "F.09/26/70" };
const TRACES = /F\.09\/26\/7"|Den Haag|2026-11-03|bankruptcy/;

/** Erasing everything that was derived from a case that the court has removed, within a day. */
export function courtErasure(open: OpenStore, change: ChangeState): void {
  let fixture: StoreFixture;
  let store: StateStore;
  const opened: StoreFixture[] = [];
  beforeEach(async () => {
    fixture = new StoreFixture(open, NOW);
    opened.push(fixture);
    store = await fixture.connect();
  });
  afterAll(() => Promise.all(opened.map((each) => each.close())));

  const remove = (caseNumber: string, ...kvkNumbers: readonly KvkNumber[]) =>
    change((transaction) => noteRemoved(transaction, [{ caseNumber, kvkNumbers }], fixture.nowMs));
  const erase = async (afterMs: number) => {
    fixture.nowMs += afterMs;
    while (await eraseRemoved(store));
  };
  /** Records that a company has these facts by the court, with a change. */
  const observe = (kvkNumber: KvkNumber, changes: Changes, fields: WatchedFields, asOfMs: number) =>
    store.monitors.recordObservations([
      {
        replaces: asOfMs === 2 ? undefined : { asOfMs: asOfMs - 1, serialMs: 0 },
        baseline: baseline(kvkNumber, { asOfMs, serialMs: 0 }, fields, COURT),
        changes: [{ type: "company.insolvency_changed", changes }],
      },
    ]);
  const declared = {
    insolvency: { previous: "none", current: "bankruptcy" },
    insolvencyCase: { current: REMOVED },
  };
  const removal = {
    insolvency: { previous: "bankruptcy", current: "none", reason: "removed" },
    insolvencyCase: { previous: REMOVED },
  } as const;
  const declaredFields = { insolvency: "bankruptcy", insolvencyCase: REMOVED } as const;
  const everything = async (owner: MonitorOwner, kvkNumber: KvkNumber) => {
    const [company] = await store.monitors.monitoredAmong([kvkNumber]);
    const messages = [];
    for (let one = await store.webhooks.claimMessage(1); one; one = await store.webhooks.claimMessage(1)) {
      messages.push(one.payload);
    }
    return JSON.stringify([await eventsOf(store, owner), messages, company?.baselines]);
  };

  it("keeps of events and messages the type, the time and that no case is known", async () => {
    const { owner, numbers } = await watching(fixture, store, "endless", 1, {
      webhook: "https://example.test",
    });
    const [kvkNumber] = numbers as [KvkNumber];
    await observe(kvkNumber, declared, declaredFields, 2);
    await deliver(store, owner);
    await observe(kvkNumber, removal, { insolvency: "none" }, 3);
    await remove(REMOVED.caseNumber, kvkNumber);
    await erase(19 * HOUR_MS);
    await deliver(store, owner);
    expect((await eventsOf(store, owner)).map(({ changes }) => changes)).toEqual([declared, removal]);
    await erase(HOUR_MS);
    const events = await eventsOf(store, owner);
    expect(events.map(({ type, changes }) => [type, changes])).toEqual([
      ["company.insolvency_changed", {}],
      ["company.insolvency_changed", { insolvency: { current: "none", reason: "removed" } }],
    ]);
    expect(await everything(owner, kvkNumber)).not.toMatch(TRACES);
  });

  it("reaches changes that wait for tokens", async () => {
    const { owner, numbers } = await watching(fixture, store, "two", 3);
    for (const kvkNumber of numbers) await observe(kvkNumber, declared, declaredFields, 2);
    await deliver(store, owner);
    for (const kvkNumber of numbers) await observe(kvkNumber, removal, { insolvency: "none" }, 3);
    await remove(REMOVED.caseNumber, ...numbers);
    await erase(20 * HOUR_MS);
    fixture.nowIso = "2026-12-01T00:00:00.000Z";
    await deliver(store, owner);
    expect(await eventsOf(store, owner)).toHaveLength(4);
    expect(JSON.stringify(await eventsOf(store, owner))).not.toMatch(TRACES);
  });

  it("keeps the other case of an event, and other companies and sources", async () => {
    const { owner, numbers } = await watching(fixture, store, "endless", 2);
    const [moved, other] = numbers as [KvkNumber, KvkNumber];
    const converted = {
      insolvency: { previous: "suspension_of_payments", current: "bankruptcy" },
      insolvencyCase: { previous: REMOVED, current: KEPT },
    };
    await observe(moved, converted, { insolvency: "bankruptcy", insolvencyCase: KEPT }, 2);
    await observe(other, declared, declaredFields, 2);
    const openData = { insolvency: { previous: "none", current: "bankruptcy" } };
    await store.monitors.recordObservations([
      {
        replaces: undefined,
        baseline: baseline(moved, { asOfMs: 2, serialMs: 0 }, { insolvency: "bankruptcy" }, "kvk-open-data"),
        changes: [{ type: "company.insolvency_changed", changes: openData }],
      },
    ]);
    await deliver(store, owner);
    await remove(REMOVED.caseNumber, moved);
    await erase(20 * HOUR_MS);
    expect((await eventsOf(store, owner)).map(({ changes }) => changes)).toEqual([
      { insolvency: { current: "bankruptcy" }, insolvencyCase: { current: KEPT } },
      declared,
      openData,
    ]);
    const [company] = await store.monitors.monitoredAmong([moved]);
    expect(company?.baselines.find(({ origin }) => origin === COURT)?.fields).toMatchObject({
      insolvencyCase: KEPT,
    });
  });

  it("reaches a baseline that was not compared since", async () => {
    const { owner, numbers } = await watching(fixture, store, "endless", 1);
    const [kvkNumber] = numbers as [KvkNumber];
    await observe(kvkNumber, declared, declaredFields, 2);
    await deliver(store, owner);
    await remove(REMOVED.caseNumber, kvkNumber);
    await erase(20 * HOUR_MS);
    expect(await everything(owner, kvkNumber)).not.toMatch(TRACES);
  });

  it("leaves results of lists without the insolvency, in both forms, and other lines as they are", async () => {
    const { owner } = await watching(fixture, store, "endless", 1);
    const { id } = await begun(store, owner, 20);
    await store.jobs.claimList(LEASE_MS);
    const line = (kvkNumber: string, insolvency: object | undefined) => ({
      number: kvkNumber,
      result: { ...COMPANY, kvkNumber, ...(insolvency && { insolvency }) },
    });
    const seen = { observedAt: NOW, source: COURT };
    const lines = [
      line("90000011", { type: "bankruptcy", ...seen, ...REMOVED }),
      line("90000022", { type: "bankruptcy", ...seen, ...KEPT }),
      line("90000033", { type: "none", ...seen }),
      line("90000044", { type: "bankruptcy", ...seen, ...REMOVED, matchedBy: "name" }),
      { number: "x", error: { code: "INVALID_KVK_NUMBER", message: "it has no digits" } },
    ];
    const text = lines.map((each) => `${JSON.stringify(each)}\n`).join("");
    const { lines: _, ...sizes } = storedResults("lookup.enriched", linesIn(text), "1 1");
    await charged(store, owner, chunk(id, 0, 1, { lines: text, ...sizes }));
    await charged(store, owner, chunk(id, 1, 1, { block: 1 }));
    const untouched = await store.jobs.results(id, 1);
    await remove(REMOVED.caseNumber);
    await erase(20 * HOUR_MS);
    const kept = [line("90000011", undefined), lines[1], lines[2], line("90000044", undefined), lines[4]];
    expect(linesIn((await store.jobs.results(id, 0))?.lines ?? "")).toEqual(kept);
    expect(await store.jobs.results(id, 1)).toEqual(untouched);
    const [size] = await store.jobs.resultSizes(id);
    expect(size?.jsonlBytes).toBe(
      Buffer.byteLength(kept.map((each) => `${JSON.stringify(each)}\n`).join("")),
    );
  });

  it("withdraws stored responses, which stay paid", async () => {
    const { owner } = await watching(fixture, store, "endless", 1);
    const respond = async (id: string, caseNumber: string) => {
      const body = {
        kvkNumber: "90000011",
        insolvency: { type: "bankruptcy", caseNumber, court: "Den Haag" },
      };
      const idempotency = await storedResponse({ id, requestHash: "one" }, JSON.stringify(body));
      return { ...call(owner.keyId, 1), idempotency };
    };
    const requests = [await respond("a", REMOVED.caseNumber), await respond("b", KEPT.caseNumber)];
    await decisions(store.metering.apply(requests));
    await remove(REMOVED.caseNumber, "90000011" as KvkNumber);
    await erase(20 * HOUR_MS);
    const [gone, kept] = await decisions(store.metering.apply(requests));
    expect(gone).toMatchObject({ outcome: "repeated" });
    expect(gone).not.toHaveProperty("response.text");
    expect(kept).toMatchObject({ outcome: "repeated", response: { text: expect.any(String) } });
  });

  it("happens once, and again if the case is removed again", async () => {
    await remove(REMOVED.caseNumber);
    await erase(20 * HOUR_MS);
    expect(await store.removedCases.removalsToErase(10)).toEqual([]);
    await remove(REMOVED.caseNumber);
    fixture.nowMs += 20 * HOUR_MS;
    const [first] = await store.removedCases.removalsToErase(10);
    await remove(REMOVED.caseNumber);
    await store.removedCases.endRemovals(first === undefined ? [] : [first]);
    fixture.nowMs += 20 * HOUR_MS;
    expect(await store.removedCases.removalsToErase(10)).toHaveLength(1);
  });
}

const COMPANY = { name: "Fabel B.V.", isActive: true, address: {} };
