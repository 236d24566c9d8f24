import { expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { OpenStore } from "./fixture.ts";
import { atOnce, HOUR_MS, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const SINCE = "2026-04-01T00:00:00.000Z";
const MONTH = 2026 * 12 + 4;

/** Suspensions, which outlive their account for a set time and apply to the next account of its address. */
export function suspensions(open: OpenStore): void {
  let store: StateStore;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });

  /** Creates an account, suspends it and deletes it. */
  async function suspendedAndGone(countedUntilMs: number) {
    const { account } = await builder.addPerson(store);
    await store.accounts.setSuspended(account.id, true, SINCE);
    await store.people.deleteAccount(account.id, account.emailHash ?? "", countedUntilMs);
    const back = builder.person({}, account.email);
    return {
      emailHash: account.emailHash ?? "",
      back: { ...back.account, emailHash: account.emailHash ?? "" },
    };
  }

  it("show their start until they end", async () => {
    const { account } = await builder.addPerson(store);
    expect(await store.accounts.find(account.id)).not.toHaveProperty("suspendedAt");
    await store.accounts.setSuspended(account.id, true, SINCE);
    await store.accounts.setSuspended(account.id, true, NOW);
    expect(await store.accounts.find(account.id)).toMatchObject({ isSuspended: true, suspendedAt: SINCE });
    await store.accounts.setSuspended(account.id, false, NOW);
    expect(await store.accounts.find(account.id)).not.toHaveProperty("suspendedAt");
    await store.accounts.setSuspended(account.id, true, NOW);
    expect(await store.accounts.find(account.id)).toMatchObject({ isSuspended: true, suspendedAt: NOW });
  });

  it("continue with the next account of the address, however it is created, and again with the one after", async () => {
    const countedUntilMs = fixture.nowMs + HOUR_MS;
    const { emailHash, back } = await suspendedAndGone(countedUntilMs);
    expect(await store.people.retainedSuspensions(fixture.nowMs, 10)).toEqual([
      { suspendedAt: SINCE, keptUntil: new Date(countedUntilMs).toISOString() },
    ]);
    expect(await store.accounts.add(back)).toBe(true);
    expect(await store.accounts.find(back.id)).toMatchObject({ isSuspended: true, suspendedAt: SINCE });
    expect(await store.people.retainedSuspensions(fixture.nowMs, 10)).toEqual([]);
    await store.people.deleteAccount(back.id, emailHash, countedUntilMs);
    const third = builder.person({}, back.email);
    await store.people.addPerson({ ...third, account: { ...third.account, emailHash } });
    expect(await store.accounts.find(third.account.id)).toMatchObject({
      isSuspended: true,
      suspendedAt: SINCE,
    });
    await store.accounts.setSuspended(third.account.id, false, NOW);
    await store.people.deleteAccount(third.account.id, emailHash, countedUntilMs);
    expect(await store.people.retainedSuspensions(fixture.nowMs, 10)).toEqual([]);
  });

  it("end once when many requests end them", async () => {
    const { emailHash, back } = await suspendedAndGone(fixture.nowMs + HOUR_MS);
    const ended = await atOnce(() => store.people.endRetainedSuspension(emailHash));
    expect(ended.filter(Boolean)).toHaveLength(1);
    await store.accounts.add(back);
    expect(await store.accounts.find(back.id)).toMatchObject({ isSuspended: false });
  });

  it("expire, swept or not", async () => {
    const [one, another] = [
      await suspendedAndGone(fixture.nowMs + HOUR_MS),
      await suspendedAndGone(fixture.nowMs + HOUR_MS),
    ];
    fixture.nowMs += HOUR_MS - 1;
    await store.people.deleteExpired({
      nowMs: fixture.nowMs,
      idleMs: HOUR_MS,
      knownSinceMs: 0,
      month: MONTH,
    });
    expect(await store.people.retainedSuspensions(fixture.nowMs, 10)).toHaveLength(2);
    expect(await store.people.retainedSuspensions(fixture.nowMs, 1)).toHaveLength(1);
    fixture.nowMs += 1;
    expect(await store.people.retainedSuspensions(fixture.nowMs, 10)).toEqual([]);
    const createdAt = new Date(fixture.nowMs).toISOString();
    await store.accounts.add({ ...one.back, createdAt });
    expect(await store.accounts.find(one.back.id)).toMatchObject({ isSuspended: false });
    await store.people.deleteExpired({
      nowMs: fixture.nowMs,
      idleMs: HOUR_MS,
      knownSinceMs: 0,
      month: MONTH,
    });
    expect(await store.people.endRetainedSuspension(another.emailHash)).toBe(false);
  });

  it("are retained or refused when they coincide with the deletion, never lost", async () => {
    for (let round = 0; round < 5; round++) {
      const { account } = await builder.addPerson(store);
      const emailHash = account.emailHash ?? "";
      const [wasSuspended] = await Promise.all([
        store.accounts.setSuspended(account.id, true, SINCE),
        store.people.deleteAccount(account.id, emailHash, fixture.nowMs + HOUR_MS),
      ]);
      expect(await store.people.endRetainedSuspension(emailHash)).toBe(wasSuspended);
    }
  });
}
