import { expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { monthOf } from "../../../src/lib/periods.ts";
import { call, type OpenStore, outcomes, reserve, StoreFixture, settle } from "./fixture.ts";
import { setFixture } from "./personBuilder.ts";

const NOW = "2026-03-20T12:00:30.000Z";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FORTY_DAYS_MS = 40 * 24 * HOUR_MS;
const MARCH = monthOf(Date.parse(NOW));

/** A clock that was ahead, and one that was behind: no account is locked out, and no allowance granted twice. */
export function wrongClocks(open: OpenStore): void {
  let store: StateStore;
  const { fixture, builder } = setFixture(open, NOW, (opened) => {
    store = opened;
  });

  /** An account of 20 tokens and 6 calls a minute, by its first key. */
  async function small() {
    const { accountId, keyIds } = await fixture.addAccount(store, "small", 2);
    const [key = "", other = ""] = keyIds;
    return { accountId, key, other };
  }
  const ask = async (...requests: Parameters<StateStore["metering"]["apply"]>[0]) =>
    outcomes(store.metering.apply(requests));
  const tokensOf = async (accountId: string, month: string) =>
    (await store.ledger.lines(accountId, `${month}-01`, `${month}-31`)).reduce(
      (sum, { tokens }) => sum + tokens,
      0,
    );

  it("settles work in progress when the clock jumps hours ahead", async () => {
    const { accountId, key } = await small();
    expect(await ask(reserve(key, `${key} under way`, 5))).toEqual(["granted 0"]);
    fixture.nowMs += 2 * HOUR_MS;
    expect(await ask(call(key, 1))).toEqual(["granted 1"]);
    expect(await ask(settle(key, `${key} under way`, 4))).toEqual(["granted 4"]);
    expect(await tokensOf(accountId, "2026-03")).toBe(5);
  });

  it("resets a window that is more than five minutes ahead, and reports by how much", async () => {
    const { key } = await small();
    fixture.nowMs += 2 * HOUR_MS;
    const all = Array.from({ length: 7 }, () => call(key, 0));
    expect((await ask(...all)).at(-1)).toBe("rate");
    fixture.nowIso = NOW;
    const [first, second] = await store.metering.apply([call(key, 1), call(key, 1)]);
    expect(first).toMatchObject({
      outcome: "granted",
      balance: {
        rateRemaining: 5,
        rateResetSeconds: Date.parse(NOW) / 1_000 + 30,
        clockSkewMs: 2 * HOUR_MS - 30_000,
      },
    });
    expect(second).toMatchObject({ outcome: "granted", balance: { rateRemaining: 4 } });
    expect(second).not.toHaveProperty("balance.clockSkewMs");
    expect(await ask(...all.slice(0, 5))).toEqual([...Array(4).fill("granted 0"), "rate"]);
  });

  it("keeps a window that is five minutes ahead: clocks that differ a little grant no slot twice", async () => {
    const { key } = await small();
    fixture.nowMs += 5 * MINUTE_MS;
    await ask(...Array.from({ length: 6 }, () => call(key, 0)));
    fixture.nowMs -= 5 * MINUTE_MS;
    expect(await ask(call(key, 1))).toEqual(["rate"]);
  });

  it("returns from a future month to the current one with its usage from the ledger, and stores the future month's usage", async () => {
    const { accountId, key, other } = await small();
    await ask(call(key, 3), reserve(key, `${key} held`, 5, 3 * FORTY_DAYS_MS));
    fixture.nowMs += FORTY_DAYS_MS;
    expect(await ask(call(key, 7), call(key, 13), call(key, 1))).toEqual([
      "granted 7",
      "granted 13",
      "quota",
    ]);
    fixture.nowIso = NOW;
    // 3 of 20 are spent, 5 are reserved.
    const [beyond, covered] = await store.metering.apply([call(other, 13), call(other, 12)]);
    expect(beyond).toMatchObject({ outcome: "quota", balance: { month: MARCH, tokensUsed: 3 } });
    expect(beyond).toHaveProperty("balance.clockSkewMs", Date.UTC(2026, 3, 1) - Date.parse(NOW));
    expect(covered).toMatchObject({ outcome: "granted", balance: { month: MARCH, tokensRemaining: 0 } });
    expect(await store.ledger.spent(accountId)).toEqual({ month: MARCH, used: 15 });
    fixture.nowIso = "2026-04-29T12:00:00.000Z";
    expect(await store.ledger.spent(accountId)).toEqual({ month: MARCH + 1, used: 20 });
    const { accounts } = await store.people.findAccounts(accountId, MARCH + 1, { offset: 0, limit: 10 });
    expect(accounts.find(({ account }) => account.id === accountId)?.used).toBe(20);
    expect(await ask(call(key, 1))).toEqual(["quota"]);
    expect([await tokensOf(accountId, "2026-03"), await tokensOf(accountId, "2026-04")]).toEqual([15, 20]);
  });

  it("reports the current month before any call, without writing", async () => {
    const { accountId, key } = await small();
    await ask(call(key, 4));
    fixture.nowMs += FORTY_DAYS_MS;
    await ask(call(key, 2));
    fixture.nowIso = NOW;
    expect(await store.ledger.spent(accountId)).toEqual({ month: MARCH, used: 4 });
    fixture.nowIso = "2026-07-01T00:00:00.000Z";
    expect(await store.ledger.spent(accountId)).toEqual({ month: MARCH + 4, used: 0 });
  });

  it("grants nothing twice on a clock that is wrongly behind and then right again", async () => {
    const { accountId, key } = await small();
    await ask(call(key, 15));
    for (const [nowIso, expected] of [
      ["2026-02-10T00:00:00.000Z", ["granted 20", "quota"]],
      [NOW, ["quota", "granted 5"]],
      ["2026-02-11T00:00:00.000Z", ["quota", "quota"]],
      [NOW, ["quota", "quota"]],
    ] as const) {
      fixture.nowIso = nowIso;
      const price = expected.some((outcome) => outcome === "granted 5") ? 5 : 1;
      expect(await ask(call(key, 20), call(key, price))).toEqual(expected);
    }
    expect([await tokensOf(accountId, "2026-02"), await tokensOf(accountId, "2026-03")]).toEqual([20, 20]);
  });

  it("settles a reservation of a clock that was ahead in its own month, whose allowance includes it later", async () => {
    const { accountId, key } = await small();
    fixture.nowMs += FORTY_DAYS_MS;
    await ask(
      reserve(key, `${key} ahead`, 15, 4 * HOUR_MS),
      reserve(key, `${key} left`, 5, 3 * FORTY_DAYS_MS),
    );
    fixture.nowIso = NOW;
    expect(await ask(call(key, 20), settle(key, `${key} ahead`, 12))).toEqual(["granted 20", "granted 12"]);
    expect(await ask(call(key, 1))).toEqual(["quota"]);
    expect(await store.ledger.spent(accountId)).toEqual({ month: MARCH, used: 20 });
    fixture.nowIso = "2026-04-29T12:00:00.000Z";
    expect(await ask(call(key, 4), call(key, 3))).toEqual(["quota", "granted 3"]);
    expect(await ask(settle(key, `${key} left`, 5), call(key, 1))).toEqual(["granted 5", "quota"]);
    expect(await tokensOf(accountId, "2026-04")).toBe(20);
  });

  it("reports state ahead of the clock until it is reset, ignoring five minutes or less", async () => {
    const ownFixture = new StoreFixture(open, NOW);
    const own = await ownFixture.connect();
    expect(await own.ledger.aheadOfClock()).toBeUndefined();
    const { keyIds } = await ownFixture.addAccount(own, "small", 2);
    const requests = keyIds.map((keyId) => call(keyId, 1));
    await own.metering.apply(requests);
    ownFixture.nowMs -= 5 * MINUTE_MS;
    expect(await own.ledger.aheadOfClock()).toBeUndefined();
    ownFixture.nowMs -= FORTY_DAYS_MS;
    const ahead = { nowMs: ownFixture.nowMs, latestMs: Date.parse("2026-03-20T12:00:00.000Z") };
    expect(await own.ledger.aheadOfClock()).toEqual({ ...ahead, keys: 2, accounts: 1 });
    await own.metering.apply(requests);
    expect(await own.ledger.aheadOfClock()).toBeUndefined();
    await ownFixture.close();
  });

  it("applies to all nodes of a shared state: a reset by one node stays in effect for another", async () => {
    const another = await fixture.connect();
    const { accountId, key } = await small();
    await ask(call(key, 3));
    fixture.nowMs += FORTY_DAYS_MS;
    await another.metering.apply([call(key, 3)]);
    fixture.nowIso = NOW;
    const pending = Array.from({ length: 30 }, (_, index) =>
      outcomes((index % 2 === 0 ? store : another).metering.apply([call(key, 5, 5)])),
    );
    const all = (await Promise.all(pending)).flat();
    expect(all.filter((outcome) => outcome === "granted 5")).toHaveLength(3);
    expect(await store.ledger.spent(accountId)).toEqual({ month: MARCH, used: 18 });
  });

  it("grants no new allowance to an account deleted after the clock was corrected", async () => {
    const { account } = await builder.addPerson(store);
    const key = await fixture.addKey(store, account.id);
    await ask(call(key, 40), reserve(key, `${key} held`, 7, 3 * FORTY_DAYS_MS));
    fixture.nowMs += FORTY_DAYS_MS;
    await ask(call(key, 1));
    fixture.nowIso = NOW;
    await store.people.deleteAccount(account.id, account.emailHash ?? "", fixture.nowMs);
    const back = builder.person({}, account.email);
    await store.people.addPerson({
      ...back,
      account: { ...back.account, emailHash: account.emailHash ?? "" },
    });
    expect(await store.ledger.spent(back.account.id)).toEqual({ month: MARCH, used: 47 });
  });

  it("grants no new allowance to an account deleted while the clock is ahead, in either month", async () => {
    const { account } = await builder.addPerson(store);
    const key = await fixture.addKey(store, account.id);
    await ask(call(key, 40));
    fixture.nowMs += FORTY_DAYS_MS;
    await ask(call(key, 30), reserve(key, `${key} held`, 5));
    await store.people.deleteAccount(account.id, account.emailHash ?? "", fixture.nowMs);
    await store.people.deleteExpired({
      nowMs: fixture.nowMs,
      idleMs: HOUR_MS,
      knownSinceMs: 0,
      month: MARCH + 1,
    });
    fixture.nowIso = NOW;
    const back = builder.person({}, account.email);
    await store.people.addPerson({
      ...back,
      account: { ...back.account, emailHash: account.emailHash ?? "" },
    });
    const { id } = back.account;
    expect(await store.ledger.spent(id)).toEqual({ month: MARCH, used: 40 });
    const again = await fixture.addKey(store, id);
    expect(await ask(call(again, 21), call(again, 20))).toEqual(["quota", "granted 20"]);
    fixture.nowIso = "2026-04-29T12:00:00.000Z";
    expect(await ask(call(again, 26), call(again, 25))).toEqual(["quota", "granted 25"]);
    expect([await tokensOf(id, "2026-03"), await tokensOf(id, "2026-04")]).toEqual([60, 60]);
  });

  it("ends a lockout by attempts counted on a clock that was ahead within their window and five minutes", async () => {
    const windowMs = 15 * MINUTE_MS;
    const count = async (nowMs: number) => store.people.countAttempt("ahead", nowMs, windowMs);
    for (let tries = 0; tries < 3; tries++) await count(fixture.nowMs + 6 * MINUTE_MS);
    expect(await count(fixture.nowMs)).toEqual({ count: 1, endsAtMs: fixture.nowMs + windowMs });
    await count(fixture.nowMs + windowMs);
    expect(await count(fixture.nowMs + windowMs - 5 * MINUTE_MS)).toMatchObject({ count: 2 });
  });
}
