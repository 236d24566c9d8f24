import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { monthOf } from "../../../src/lib/periods.ts";
import { call, type OpenStore, outcomes, reserve, StoreFixture, settle } from "./fixture.ts";

const MARCH = "2026-03-31T23:59:30.000Z";
const APRIL = "2026-04-01T00:00:10.000Z";

/** Windows, allowances, reservations and the ledger, one guarantee at a time. */
export function metering(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, MARCH);
    store = await fixture.connect();
  });
  beforeEach(() => {
    fixture.nowIso = MARCH;
  });
  afterAll(() => fixture.close());

  const spentOf = async (accountId: string, month: string) =>
    (await store.ledger.lines(accountId, `${month}-01`, `${month}-31`)).reduce(
      (sum, { tokens }) => sum + tokens,
      0,
    );

  it("delivers exactly k calls of price 1 with k tokens left, over two connections at once", async () => {
    const other = await fixture.connect();
    const { accountId, keyIds } = await fixture.addAccount(store, "wide", 2);
    const [first = "", second = ""] = keyIds;
    const pending = Array.from({ length: 30 }, (_, index) =>
      outcomes(
        (index % 2 === 0 ? store : other).metering.apply(
          [first, second, first, second, first].map((id) => call(id, 1)),
        ),
      ),
    );
    const all = (await Promise.all(pending)).flat();
    expect(all.filter((outcome) => outcome === "granted 1")).toHaveLength(100);
    expect(all.filter((outcome) => outcome === "quota")).toHaveLength(50);
    expect(await store.ledger.spent(accountId)).toEqual({ month: monthOf(fixture.nowMs), used: 100 });
    expect(await spentOf(accountId, "2026-03")).toBe(100);
  });

  it("takes no slot for a rate-limited call, and one for every other response", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small", 2);
    const [key = "", other = ""] = keyIds;
    const first = [call(key, 21), call(key, 1, 0), call(key, 0)];
    expect(await outcomes(store.metering.apply(first))).toEqual(["quota", "granted 0", "granted 0"]);
    await store.accounts.setSuspended(accountId, true, MARCH);
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["suspended"]);
    await store.accounts.setSuspended(accountId, false, MARCH);
    expect(
      await outcomes(store.metering.apply([call(key, 1), call(key, 1), call(key, 1), call(key, 1)])),
    ).toEqual(["granted 1", "granted 1", "rate", "rate"]);
    expect(await outcomes(store.metering.apply([call(other, 1)]))).toEqual(["granted 1"]);
    fixture.nowMs += 30_000;
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
  });

  it("checks a call before its work and charges it after, exactly, in one slot and one request", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    const six = Array.from({ length: 6 }, () => call(key, 5, 0));
    expect(await outcomes(store.metering.apply([...six, call(key, 5, 0)]))).toEqual([
      ...six.map(() => "granted 0"),
      "rate",
    ]);
    const charges = six.map(() => ({ ...call(key, 5), isCounted: true }));
    const charged = ["granted 5", "granted 5", "granted 5", "granted 5", "quota", "quota"];
    expect(await outcomes(store.metering.apply(charges))).toEqual(charged);
    const [line, ...others] = await store.ledger.lines(accountId, "2026-03-01", "2026-03-31");
    expect(others).toEqual([]);
    expect(line).toMatchObject({ requests: 6, tokens: 20, refusedByRate: 1, refusedByAllowance: 2 });
    fixture.nowMs += 30_000;
    const [decision] = await store.metering.apply([{ ...reserve(key, `${key} r1`, 5), isCounted: true }]);
    expect(decision).toMatchObject({ outcome: "granted", balance: { rateRemaining: 6 } });
  });

  it("keeps the current window and month when the clock goes back by up to five minutes", async () => {
    const { keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    fixture.nowIso = APRIL;
    await store.metering.apply([call(key, 1, 0)]);
    fixture.nowIso = MARCH;
    const [decision] = await store.metering.apply([call(key, 1)]);
    expect(decision).toMatchObject({
      outcome: "granted",
      balance: {
        month: monthOf(Date.parse(APRIL)),
        rateRemaining: 4,
        rateResetSeconds: Date.parse(APRIL) / 1_000 + 50,
      },
    });
  });

  it("keeps reservations when the clock goes back over the start of their month and forward again", async () => {
    const { keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    fixture.nowIso = APRIL;
    await store.metering.apply([reserve(key, `${key} r1`, 15, 3_600_000)]);
    fixture.nowIso = MARCH;
    await store.metering.apply([call(key, 5)]);
    fixture.nowIso = APRIL;
    expect(await outcomes(store.metering.apply([call(key, 1), settle(key, `${key} r1`, 15)]))).toEqual([
      "quota",
      "granted 15",
    ]);
  });

  it("settles a reservation in the month in which it was made", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    await store.metering.apply([reserve(key, `${key} r1`, 5, 120_000)]);
    fixture.nowIso = APRIL;
    expect(await outcomes(store.metering.apply([call(key, 20), settle(key, `${key} r1`, 5)]))).toEqual([
      "granted 20",
      "granted 5",
    ]);
    expect([await spentOf(accountId, "2026-03"), await spentOf(accountId, "2026-04")]).toEqual([5, 20]);
  });

  it("keeps last month's settlement in the same batch as the first call of a new month", async () => {
    const { keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    await store.metering.apply([reserve(key, `${key} late`, 15, 1_000)]);
    fixture.nowMs += 2_000;
    await store.metering.apply([reserve(key, `${key} held`, 15, 120_000)]);
    fixture.nowIso = APRIL;
    expect(await outcomes(store.metering.apply([settle(key, `${key} held`, 15), call(key, 1)]))).toEqual([
      "granted 15",
      "granted 1",
    ]);
    // 15 of March's 20 are spent, so 15 more are not covered.
    expect(await outcomes(store.metering.apply([settle(key, `${key} late`, 15)]))).toEqual(["lapsed"]);
  });

  it("covers a late charge of last month in addition to what others still have reserved there", async () => {
    const { keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    await store.metering.apply([reserve(key, `${key} late`, 10, 1_000)]);
    fixture.nowMs += 2_000;
    await store.metering.apply([reserve(key, `${key} held`, 20, 600_000)]);
    fixture.nowIso = APRIL;
    expect(
      await outcomes(store.metering.apply([settle(key, `${key} late`, 10), settle(key, `${key} held`, 20)])),
    ).toEqual(["lapsed", "granted 20"]);
  });

  it("releases an unsettled reservation when it expires", async () => {
    const { keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    fixture.nowIso = APRIL;
    await store.metering.apply([reserve(key, `${key} r1`, 20, 5_000)]);
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["quota"]);
    fixture.nowMs += 5_000;
    expect(await outcomes(store.metering.apply([call(key, 20)]))).toEqual(["granted 20"]);
  });

  it("never takes back released tokens, even when the clock is set back", async () => {
    const { keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    fixture.nowIso = APRIL;
    await store.metering.apply([reserve(key, `${key} r1`, 15, 5_000)]);
    fixture.nowMs += 10_000;
    await store.metering.apply([call(key, 20)]);
    fixture.nowIso = APRIL;
    expect(await outcomes(store.metering.apply([settle(key, `${key} r1`, 15)]))).toEqual(["lapsed"]);
  });

  it("charges a late settlement if the allowance still covers it", async () => {
    const { keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    fixture.nowIso = APRIL;
    await store.metering.apply([reserve(key, `${key} r1`, 15, 1_000)]);
    fixture.nowMs += 1_800_000;
    expect(await outcomes(store.metering.apply([settle(key, `${key} r1`, 15)]))).toEqual(["granted 15"]);
  });

  it("charges once for a settlement sent twice, and at most the reserved amount", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small", 2);
    const [key = "", other = ""] = keyIds;
    await store.metering.apply([reserve(key, `${key} r1`, 5), reserve(key, `${key} r2`, 5)]);
    const requests = [
      settle(other, `${key} r1`, 5),
      settle(key, `${key} r1`, 4),
      settle(key, `${key} r1`, 5),
      settle(key, `${key} r2`, 9),
    ];
    expect(await outcomes(store.metering.apply(requests))).toEqual([
      "lapsed",
      "granted 4",
      "lapsed",
      "granted 5",
    ]);
    expect(await outcomes(store.metering.apply([settle(key, `${key} r1`, 5)]))).toEqual(["lapsed"]);
    expect((await store.ledger.spent(accountId))?.used).toBe(9);
  });

  it("applies another connection's revocation, suspension or tier change in the very next batch", async () => {
    const other = await fixture.connect();
    const { accountId, keyIds } = await fixture.addAccount(store, "small", 2);
    const [key = "", revoked = ""] = keyIds;
    expect(await outcomes(store.metering.apply([call(key, 21), call(revoked, 1)]))).toEqual([
      "quota",
      "granted 1",
    ]);
    await other.accounts.setTier(accountId, "large");
    expect(await outcomes(store.metering.apply([call(key, 21)]))).toEqual(["granted 21"]);
    await other.accounts.revokeKey(revoked, MARCH);
    expect(await outcomes(store.metering.apply([call(revoked, 1)]))).toEqual(["revoked"]);
    await other.accounts.setSuspended(accountId, true, MARCH);
    expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["suspended"]);
  });

  it("gives an account with an unknown tier nothing to spend", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    for (const tierName of ["constructor", "gone"]) {
      await store.accounts.setTier(accountId, tierName);
      expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["quota"]);
      fixture.nowMs += 60_000;
    }
  });

  it("changes nothing if a batch cannot be written completely", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    await store.metering.apply([reserve(key, `${key} r1`, 1)]);
    await expect(store.metering.apply([call(key, 5), reserve(key, `${key} r1`, 1)])).rejects.toThrow();
    expect((await store.ledger.spent(accountId))?.used).toBe(0);
    const [decision] = await store.metering.apply([call(key, 1)]);
    expect(decision).toMatchObject({ outcome: "granted", balance: { tokensUsed: 1, rateRemaining: 4 } });
  });

  it("keeps everything when closed and opened again", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    await store.metering.apply([call(key, 3), reserve(key, `${key} r1`, 5)]);
    const other = await fixture.connect();
    await other.metering.apply([call(key, 1)]);
    await other.close();
    const reopened = await fixture.connect();
    const [decision] = await reopened.metering.apply([call(key, 1)]);
    expect(decision).toMatchObject({ balance: { tokensUsed: 5, tokensRemaining: 10, rateRemaining: 2 } });
    expect(await spentOf(accountId, "2026-03")).toBe(5);
  });
}
