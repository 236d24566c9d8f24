import { expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { EARLIER_ACCOUNT } from "../../../src/database/ledgerLines.ts";
import { lastUse, sumsByMonth } from "../../../src/metering/ledgerReads.ts";
import { NO_FIGURES } from "../../../src/metering/usage.ts";
import { call, keysOf, newKey, type OpenStore, outcomes, reserve, settle } from "./fixture.ts";
import { AT_ONCE, atOnce, HOME, HOUR_MS, setFixture } from "./personBuilder.ts";

const NOW = "2026-05-05T12:00:00.000Z";

/** Rolling keys, plan requests, accounts that are deleted and created again, and the views of it all. */
export function accountLifecycle(open: OpenStore): void {
  let store: StateStore;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });

  it("rolls a key once for concurrent requests, and ends the old one to the millisecond", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large");
    const [old = ""] = keyIds;
    const endsAt = new Date(fixture.nowMs + HOUR_MS).toISOString();
    const rolled = await atOnce((index) =>
      store.people.rollKey(old, newKey(`rolled ${index}`, accountId, NOW), endsAt, AT_ONCE + 2),
    );
    expect(rolled.filter((result) => result === "added")).toHaveLength(1);
    expect((await keysOf(store, accountId)).find(({ id }) => id === old)?.endsAt).toBe(endsAt);
    fixture.nowMs += HOUR_MS - 1;
    expect(await store.people.endRolledKeys(new Date(fixture.nowMs).toISOString())).toEqual([]);
    expect(await outcomes(store.metering.apply([call(old, 1), reserve(old, "held at its end", 5)]))).toEqual([
      "granted 1",
      "granted 0",
    ]);
    fixture.nowMs += 1;
    // No sweep has run: the charge itself refuses. Work that began before is delivered and paid.
    expect(await outcomes(store.metering.apply([call(old, 1), settle(old, "held at its end", 5)]))).toEqual([
      "revoked",
      "granted 5",
    ]);
    expect(await store.people.endRolledKeys(endsAt)).toEqual([old]);
    expect(await store.people.endRolledKeys(endsAt)).toEqual([]);
    expect(await outcomes(store.metering.apply([call(old, 1)]))).toEqual(["revoked"]);
  });

  it("rolls a key without an overlap at once, also at the maximum of live keys", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large", 3);
    const [old = "", second = ""] = keyIds;
    const later = new Date(fixture.nowMs + HOUR_MS).toISOString();
    expect(await store.people.rollKey(second, newKey("too many", accountId, NOW), later, 3)).toBe("too-many");
    expect(await store.people.rollKey(old, newKey("new one", accountId, NOW), NOW, 3)).toBe("added");
    expect(await outcomes(store.metering.apply([call(old, 1), call(second, 1), call("new one", 1)]))).toEqual(
      ["revoked", "granted 1", "granted 1"],
    );
    expect((await keysOf(store, accountId)).find(({ id }) => id === second)).not.toHaveProperty("endsAt");
    const stranger = await fixture.addAccount(store, "large");
    const stolen = newKey("stolen", stranger.accountId, NOW);
    expect(await store.people.rollKey(second, stolen, NOW, 20)).toBe("no-key");
    expect(await lastUse(store.ledger, accountId, keyIds)).toEqual(
      expect.arrayContaining([{ keyId: second, day: "2026-05-05" }]),
    );
  });

  it("stores one request for a plan, which assigning a plan closes", async () => {
    const { account } = await builder.addPerson(store);
    const { emailHash: _hash, ...shown } = account;
    await store.people.askPlan(account.id, "small", "2026-05-04T00:00:00.000Z");
    await store.people.askPlan(account.id, "wide", NOW);
    const planRequests = [{ account: shown, tierName: "wide", askedAt: NOW }];
    expect(await store.people.planRequests(account.id)).toEqual(planRequests);
    expect(await store.people.planRequests()).toEqual(planRequests);
    await store.accounts.setTier(account.id, "small");
    expect(await store.people.planRequests()).toEqual([]);
    await store.people.askPlan(account.id, "wide", NOW);
    await store.people.withdrawPlan(account.id);
    expect(await store.people.planRequests(account.id)).toEqual([]);
  });

  it("deletes an account with all its data, during calls with its keys", async () => {
    const { account } = await builder.addPerson(store);
    const key = await fixture.addKey(store, account.id);
    await store.people.addSession(builder.session(account.id), "of the deleted", "first", HOME);
    await store.people.addToken(
      builder.token({ hash: "of the deleted", purpose: "reset", accountId: account.id }),
    );
    await store.people.askPlan(account.id, "wide", NOW);
    await store.metering.apply([call(key, 3), reserve(key, "held at deletion", 4)]);
    const calls = Array.from({ length: 10 }, () => outcomes(store.metering.apply([call(key, 1)])));
    expect(await store.people.deleteAccount(account.id, account.emailHash ?? "", fixture.nowMs)).toBe(true);
    for (const [outcome] of await Promise.all(calls)) expect(["granted 1", "revoked"]).toContain(outcome);
    expect(await store.people.deleteAccount(account.id, "again", fixture.nowMs)).toBe(false);
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["revoked"]);
    expect(await store.accounts.find(account.id)).toBeUndefined();
    expect(await keysOf(store, account.id)).toEqual([]);
    expect(await store.ledger.lines(account.id, "2000-01-01", "2099-12-31")).toEqual([]);
    expect(await store.people.session("of the deleted")).toBeUndefined();
    expect(await store.people.token("of the deleted", "reset", fixture.nowMs)).toBeUndefined();
    expect(await store.people.planRequests(account.id)).toEqual([]);
  });

  it("counts this month's usage for an address that returns, in ledger and allowance", async () => {
    const { account } = await builder.addPerson(store);
    const key = await fixture.addKey(store, account.id);
    await store.metering.apply([call(key, 50), reserve(key, "held at return", 4)]);
    await store.people.deleteAccount(account.id, account.emailHash ?? "", fixture.nowMs);
    const back = builder.person({}, account.email);
    expect(
      await store.people.addPerson({
        ...back,
        account: { ...back.account, emailHash: account.emailHash ?? "" },
      }),
    ).toBe("added");
    expect(await store.ledger.spent(back.account.id)).toMatchObject({ used: 54 });
    const lines = await store.ledger.lines(back.account.id, "2026-05-01", "2026-05-31");
    expect(lines).toMatchObject([{ ...EARLIER_ACCOUNT, day: "2026-05-05", requests: 0, tokens: 54 }]);
    const again = await fixture.addKey(store, back.account.id);
    expect(await outcomes(store.metering.apply([call(again, 7), call(again, 6), call(again, 1)]))).toEqual([
      "quota",
      "granted 6",
      "quota",
    ]);
  });

  it("does not count reservations that were released for an address that returns, even if their expiry was not processed", async () => {
    const { account } = await builder.addPerson(store);
    const key = await fixture.addKey(store, account.id);
    await store.metering.apply([
      call(key, 1),
      reserve(key, "over at return", 40, 30_000),
      reserve(key, "under way at return", 4, 30_001),
    ]);
    fixture.nowMs += 30_000;
    await store.people.deleteAccount(account.id, account.emailHash ?? "", fixture.nowMs);
    const back = builder.person({}, account.email);
    const emailHash = account.emailHash ?? "";
    await store.people.addPerson({ ...back, account: { ...back.account, emailHash } });
    expect(await store.ledger.spent(back.account.id)).toMatchObject({ used: 5 });
  });

  it("forgets an address's usage when the month is over", async () => {
    const { account } = await builder.addPerson(store);
    const key = await fixture.addKey(store, account.id);
    await store.metering.apply([call(key, 50)]);
    await store.people.deleteAccount(account.id, account.emailHash ?? "", fixture.nowMs);
    fixture.nowIso = "2026-06-01T00:00:00.000Z";
    const createdAt = new Date(fixture.nowMs).toISOString();
    const account2 = { ...account, id: "acc_next_month", createdAt };
    expect(await store.accounts.add(account2)).toBe(true);
    expect(await store.ledger.spent("acc_next_month")).toBeUndefined();
  });

  it("sums the ledger by month and by day, to the token", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large", 2);
    const [one = "", two = ""] = keyIds;
    for (const day of ["2031-03-30", "2031-03-31", "2031-04-01"]) {
      fixture.nowIso = `${day}T12:00:00.000Z`;
      await store.metering.apply([call(one, 2), call(two, 3), call(two, 100)]);
    }
    const figures = { ...NO_FIGURES, requests: 6, tokens: 10, refusedByAllowance: 2 };
    const half = { ...NO_FIGURES, requests: 3, tokens: 5, refusedByAllowance: 1 };
    expect(await sumsByMonth(store.ledger, accountId, "2031-01-01")).toEqual([
      { month: "2031-03", ...figures },
      { month: "2031-04", ...half },
    ]);
    expect(await sumsByMonth(store.ledger, accountId, "2031-04-01")).toEqual([{ month: "2031-04", ...half }]);
    expect(await store.ledger.traffic("2031-03-31")).toEqual([
      { day: "2031-03-31", accounts: 1, ...half },
      { day: "2031-04-01", accounts: 1, ...half },
    ]);
  });

  it("finds accounts by a part of address or id, newest first, in distinct pages", async () => {
    const ids: string[] = [];
    for (const [index, email] of [
      "find_me@x.test",
      "findXme@x.test",
      "FIND%me@x.test".toLowerCase(),
    ].entries()) {
      const person = builder.person({}, email);
      const createdAt = new Date(fixture.nowMs + index * HOUR_MS).toISOString();
      await store.people.addPerson({ ...person, account: { ...person.account, createdAt } });
      ids.push(person.account.id);
    }
    const find = (text: string, page = { offset: 0, limit: 10 }) =>
      store.people.findAccounts(text, 2026 * 12 + 4, page);
    const idsOf = async (text: string) => (await find(text)).accounts.map(({ account }) => account.id);
    expect(await idsOf("@x.test")).toEqual([...ids].reverse());
    expect(await idsOf("FIND_ME")).toEqual([ids[0]]);
    expect(await idsOf("d%m")).toEqual([ids[2]]);
    expect(await idsOf(ids[1]?.toUpperCase() ?? "")).toEqual([ids[1]]);
    expect(await find("@x.test", { offset: 1, limit: 1 })).toMatchObject({
      total: 3,
      accounts: [{ account: { id: ids[1] } }],
    });
    const key = await fixture.addKey(store, ids[0] ?? "");
    await fixture.addKey(store, ids[0] ?? "");
    await store.accounts.revokeKey(await fixture.addKey(store, ids[0] ?? ""), NOW);
    await store.metering.apply([call(key, 7)]);
    await store.people.setAdmin(ids[0] ?? "", true);
    expect((await find("find_me")).accounts).toMatchObject([{ isAdmin: true, liveKeys: 2, used: 7 }]);
  });

  it("sweeps expired data and nothing else", async () => {
    const { account } = await builder.addPerson(store);
    const nowMs = fixture.nowMs;
    const sessions = {
      fresh: builder.session(account.id),
      idle: builder.session(account.id, { lastSeenAtMs: nowMs - 1_000 }),
      old: builder.session(account.id, { endsAtMs: nowMs }),
    };
    for (const [name, session] of Object.entries(sessions))
      await store.people.addSession(session, name, "first", HOME);
    await store.people.addToken(builder.token({ hash: "kept" }));
    await store.people.addToken(builder.token({ hash: "ended", expiresAtMs: nowMs }));
    await store.people.countAttempt("kept", nowMs, 1_000);
    await store.people.countAttempt("ended", nowMs - 1_000, 1_000);
    await store.people.deleteExpired({ nowMs, idleMs: 1_000, knownSinceMs: 0, month: 2026 * 12 + 4 });
    expect((await store.people.sessions(account.id)).map(({ id }) => id)).toEqual([sessions.fresh.id]);
    expect(await store.people.token("kept", "invite", 0)).toBeDefined();
    expect((await store.people.token("ended", "invite", 0)) ?? undefined).toBeUndefined();
    expect((await store.people.countAttempt("kept", nowMs, 1_000)).count).toBe(2);
    expect((await store.people.countAttempt("ended", nowMs - 1_000, 1_000)).count).toBe(1);
  });
}
