import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { MONITOR_BOUNDS } from "../../../src/contract/monitors.ts";
import type { MonitorOwner } from "../../../src/monitors/stored.ts";
import { type OpenStore, StoreFixture, TIERS } from "./fixture.ts";
import { baseline, monitor, newCompanies, newMonitorId, newOwner, observed } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const DAY_MS = 86_400_000;
const URL = "https://example.test/hook";

/** Monitors of accounts: adding, changing, listing, removing, and the limits of tiers. */
export function monitorsOfAccounts(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  const addWith = (owner: MonitorOwner, numbers: Parameters<typeof monitor>[2], limit: number, fields = {}) =>
    store.monitors.addMonitors(owner, numbers, numbers.map(newMonitorId), fields, [], limit);
  const secret = ({ accountId }: MonitorOwner) =>
    store.webhooks.rollWebhookSecret(accountId, `seed of ${accountId}`, 0);

  it("adds monitors in the order of the numbers, up to the limit, and never a suppressed company", async () => {
    const owner = await newOwner(fixture, store);
    const [a, b, c, d] = newCompanies(4) as [never, never, never, never];
    await store.suppressed.forget({ kvkNumber: b, vatNumbers: [], forgottenAtMs: fixture.nowMs });
    const added = await addWith(owner, [a, b, c, a, d], 2);
    expect(added).toMatchObject([
      { kvkNumber: a },
      "suppressed",
      { kvkNumber: c },
      { kvkNumber: a },
      "limit",
    ]);
    expect(await addWith(owner, [c, d], 2)).toMatchObject([{ kvkNumber: c }, "limit"]);
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ monitors: 2, paused: 0, pending: 0 });
    await store.suppressed.undoForget(b);
  });

  it("updates the given fields of a monitor that exists, and keeps its id and creation", async () => {
    const owner = await newOwner(fixture, store);
    const numbers = newCompanies(1);
    const metadata = { "'; drop table monitors; --": `"\\\u0000 é🗝 ') or 1=1` };
    const [first] = await monitor(store, owner, numbers, { metadata, events: ["company.moved"] });
    expect(first).toMatchObject({
      ...owner,
      metadata,
      events: ["company.moved"],
      createdAtMs: fixture.nowMs,
    });
    fixture.nowMs += 1;
    const other = { ...owner, keyId: await fixture.addKey(store, owner.accountId) };
    const [second] = await monitor(store, other, numbers, { events: null });
    const { events: _, ...rest } = first ?? {};
    expect(second).toEqual({ ...rest, keyId: other.keyId });
    expect(await store.monitors.monitor(owner, first?.id ?? "")).toEqual(second);
    const changed = await store.monitors.changeMonitor(owner, first?.id ?? "", {
      metadata: null,
      events: ["company.renamed"],
    });
    expect(changed).toMatchObject({ events: ["company.renamed"], keyId: owner.keyId });
    expect(changed).not.toHaveProperty("metadata");
  });

  it("shows and changes only the monitors of the account, and those of test keys apart", async () => {
    const [owner, stranger] = [await newOwner(fixture, store), await newOwner(fixture, store)];
    const numbers = newCompanies(1);
    const testOwner = { accountId: owner.accountId, keyId: "key of tests", isTest: true } as const;
    const [mine] = await monitor(store, owner, numbers);
    const [ofTest] = await monitor(store, testOwner, numbers);
    const id = mine?.id ?? "";
    expect(ofTest).toMatchObject({ isTest: true });
    for (const other of [stranger, testOwner]) {
      expect(await store.monitors.monitor(other, id)).toBeUndefined();
      expect(await store.monitors.changeMonitor(other, id, { events: null })).toBeUndefined();
      expect(await store.monitors.removeMonitor(other, id)).toBe(false);
    }
    expect(await store.monitors.monitors(owner, "", 10)).toEqual({ monitors: [mine] });
    expect(await store.monitors.monitors(testOwner, "", 10)).toEqual({ monitors: [ofTest] });
    expect(await store.monitors.removeMonitor(owner, id)).toBe(true);
    expect(await store.monitors.removeMonitor(owner, id)).toBe(false);
    expect(await store.monitors.monitors(owner, "", 10)).toEqual({ monitors: [] });
  });

  it("lists monitors oldest first in pages that continue after a removed one", async () => {
    const owner = await newOwner(fixture, store);
    const numbers = newCompanies(5);
    const added = [];
    for (const kvkNumber of numbers) {
      fixture.nowMs += 1;
      added.push(...(await monitor(store, owner, [kvkNumber])));
    }
    const first = await store.monitors.monitors(owner, "", 2);
    expect(first.monitors).toEqual(added.slice(0, 2));
    await store.monitors.removeMonitor(owner, added[1]?.id ?? "");
    const second = await store.monitors.monitors(owner, first.after ?? "", 3);
    expect(second).toEqual({ monitors: added.slice(2) });
  });

  it("accepts a webhook only with a secret, and at most the bound of different ones", async () => {
    const owner = await newOwner(fixture, store);
    const numbers = newCompanies(MONITOR_BOUNDS.maxWebhooks + 1);
    expect(await addWith(owner, numbers, 100, { webhook: URL })).toBe("no-secret");
    await secret(owner);
    for (const [nth, kvkNumber] of numbers.slice(0, -1).entries()) {
      await monitor(store, owner, [kvkNumber], { webhook: `${URL}/${nth}` });
    }
    expect(await addWith(owner, numbers.slice(-1), 100, { webhook: URL })).toBe("webhooks");
    const { monitors } = await store.monitors.monitors(owner, "", 100);
    const [one, two] = monitors;
    // One replaces its own.
    const replaced = await store.monitors.changeMonitor(owner, one?.id ?? "", { webhook: URL });
    expect(replaced).toMatchObject({ webhook: URL });
    expect(await store.monitors.changeMonitor(owner, two?.id ?? "", { webhook: URL })).toMatchObject({
      webhook: URL,
    });
    expect(
      (await store.monitors.webhookStatuses(owner.accountId)).map(({ url, monitors, monitorId }) => [
        ...[url, monitors],
        [one?.id, two?.id].includes(monitorId),
      ]),
    ).toContainEqual([URL, 2, true]);
    expect(await store.monitors.changeMonitor(owner, one?.id ?? "", { webhook: null })).not.toHaveProperty(
      "webhook",
    );
  });

  it("pauses the newest monitors beyond the limit of the tier, and resumes them", async () => {
    const owner = await newOwner(fixture, store, "small");
    const numbers = newCompanies(5);
    for (const kvkNumber of numbers) {
      fixture.nowMs += 1;
      await monitor(store, owner, [kvkNumber]);
    }
    const paused = async () => {
      const { monitors } = await store.monitors.monitors(owner, "", 10);
      return monitors.map(({ pausedFor }) => pausedFor ?? "");
    };
    await store.monitors.alignMonitors(TIERS);
    expect(await paused()).toEqual(["", "", "", "", ""]);
    await store.accounts.setTier(owner.accountId, "two");
    await store.monitors.alignMonitors(TIERS);
    expect(await paused()).toEqual(["", "", "limit", "limit", "limit"]);
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ monitors: 5, paused: 3 });
    const { monitors } = await store.monitors.monitors(owner, "", 10);
    await store.monitors.removeMonitor(owner, monitors[0]?.id ?? "");
    await store.monitors.alignMonitors(TIERS);
    expect(await paused()).toEqual(["", "", "limit", "limit"]);
    await store.monitors.alignMonitors({
      ...TIERS,
      two: { monthlyTokens: 2, ratePerMinute: 1, maxMonitors: 3 },
    });
    expect(await paused()).toEqual(["", "", "", "limit"]);
    await store.monitors.alignMonitors(TIERS);
  });

  it("stores the first baselines of a company, and replaces those left from an earlier monitor", async () => {
    const owner = await newOwner(fixture, store);
    const [kvkNumber] = newCompanies(1) as [never];
    const add = (asOfMs: number) =>
      store.monitors.addMonitors(
        owner,
        [kvkNumber],
        [newMonitorId()],
        {},
        [baseline(kvkNumber, { asOfMs, serialMs: 1 })],
        10,
      );
    await add(1);
    const id = async () => (await store.monitors.monitors(owner, "", 1)).monitors[0]?.id ?? "";
    const stored = async () =>
      (await store.monitors.monitoredAmong([kvkNumber]))[0]?.baselines.map(({ asOfMs }) => asOfMs);
    expect(await stored()).toEqual([1]);
    await add(2);
    expect(await stored()).toEqual([1]);
    await store.monitors.removeMonitor(owner, await id());
    expect(await stored()).toBeUndefined();
    await add(3);
    expect(await stored()).toEqual([3]);
  });

  it("sets the cap and the digest of an account", async () => {
    const owner = await newOwner(fixture, store);
    expect(await store.monitors.monitorAccount(owner)).toEqual({
      ...{ monitors: 0, paused: 0, pending: 0, spent: 0, unread: 0, hasDigest: true },
    });
    await store.monitors.setMonitorAccount(owner.accountId, { maxTokens: 7, hasDigest: false });
    await store.monitors.setMonitorAccount(owner.accountId, {});
    expect(await store.monitors.monitorAccount(owner)).toMatchObject({ maxTokens: 7, hasDigest: false });
    await store.monitors.setMonitorAccount(owner.accountId, { maxTokens: null });
    expect(await store.monitors.monitorAccount(owner)).not.toHaveProperty("maxTokens");
  });

  it("deletes the baselines of companies without a monitor", async () => {
    const owner = await newOwner(fixture, store);
    const [gone, stays] = newCompanies(2) as [never, never];
    const [first] = await monitor(store, owner, [gone, stays]);
    await store.monitors.removeMonitor(owner, first?.id ?? "");
    while (await store.monitors.sweepMonitors(90 * DAY_MS));
    // Monitored again by no one: an observation without a predecessor is not stored either.
    await store.monitors.recordObservations([observed(gone, 1)]);
    await monitor(store, owner, [gone]);
    const companies = await store.monitors.monitoredAmong([gone, stays]);
    expect(companies.map(({ baselines }) => baselines.length)).toEqual([1, 1]);
  });
}
