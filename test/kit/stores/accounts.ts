import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { PAGE_KEY_PREFIX, pageKeyOf } from "../../../src/contract/pageKey.ts";
import { StoreUnavailable } from "../../../src/lib/storeErrors.ts";
import { NO_FIGURES } from "../../../src/metering/usage.ts";
import {
  call,
  hashOf,
  keysOf,
  newKey,
  type OpenStore,
  outcomes,
  reserve,
  StoreFixture,
  settle,
} from "./fixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";

/** Accounts and keys, and the results of invalid requests to a store. */
export function accountsAndKeys(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    store = await fixture.connect();
  });
  beforeEach(() => {
    fixture.nowIso = NOW;
  });
  afterAll(() => fixture.close());

  it("assigns an e-mail address to one account only", async () => {
    const account = { email: "a@example.test", tierName: "small", isSuspended: false, createdAt: NOW };
    const ids = ["acc_a", "acc_b", "acc_c"];
    const added = await Promise.all(ids.map((id) => store.accounts.add({ id, ...account })));
    expect(added.filter(Boolean)).toHaveLength(1);
    // The store decides which of them is first.
    const [id = ""] = ids.filter((_, index) => added[index]);
    const all = await store.accounts.all();
    expect(all.filter(({ email }) => email === account.email)).toEqual([{ id, ...account }]);
    const found = await Promise.all(ids.map((each) => store.accounts.find(each)));
    expect(found).toEqual(added.map((isAdded) => (isAdded ? { id, ...account } : undefined)));
  });

  it("counts the accounts of each tier", async () => {
    const counted = async () =>
      new Map((await store.accounts.byTier()).map(({ tierName, accounts }) => [tierName, accounts]));
    const before = await counted();
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await fixture.addAccount(store, "large", 0)).accountId),
    );
    expect((await counted()).get("large")).toBe((before.get("large") ?? 0) + 3);
    await store.accounts.setTier(ids[0] ?? "", "one that the table lacks");
    const after = await counted();
    expect(after.get("large")).toBe((before.get("large") ?? 0) + 2);
    expect(after.get("one that the table lacks")).toBe(1);
    const names = [...after.keys()];
    expect(names).toEqual([...names].sort());
  });

  it("never has more live keys than allowed, however many are created at once", async () => {
    const { accountId } = await fixture.addAccount(store, "small", 0);
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        store.accounts.addKey(newKey(`k${index}`, accountId, NOW), 20),
      ),
    );
    expect(made.filter((result) => result === "added")).toHaveLength(20);
    expect(made.filter((result) => result === "too-many")).toHaveLength(10);
    // The store decides which of them succeed.
    expect(await store.accounts.revokeKey(`k${made.indexOf("added")}`, NOW)).toBe(true);
    expect(await store.accounts.addKey(newKey("k30", accountId, NOW), 20)).toBe("added");
    expect(await store.accounts.addKey(newKey("k31", accountId, NOW), 20)).toBe("too-many");
    expect(await store.accounts.addKey(newKey("k32", "acc_none", NOW), 20)).toBe("no-account");
  });

  it("handles calls and new keys concurrently, each atomically", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large");
    const [key = ""] = keyIds;
    const made: Promise<string>[] = [];
    const decided: Promise<string[]>[] = [];
    for (let round = 0; round < 10; round++) {
      made.push(store.accounts.addKey(newKey(`another${round}`, accountId, NOW), 20));
      decided.push(outcomes(store.metering.apply([call(key, 1)])));
    }
    expect(new Set(await Promise.all(made))).toEqual(new Set(["added"]));
    expect((await Promise.all(decided)).flat()).toEqual(Array(10).fill("granted 1"));
    expect((await store.ledger.spent(accountId))?.used).toBe(10);
  });

  it("returns an account's keys in pages, live ones first, and never their hash", async () => {
    const { accountId } = await fixture.addAccount(store, "small", 0);
    const { keyIds } = await fixture.addAccount(store, "small");
    const dated = (day: number) => `2026-05-${String(day).padStart(2, "0")}T00:00:00.000Z`;
    for (let day = 1; day <= 9; day++)
      await store.accounts.addKey(newKey(`d${day}`, accountId, dated(day)), 20);
    for (const day of [9, 2, 5, 7]) await store.accounts.revokeKey(`d${day}`, dated(day + 10));
    const page = async (offset: number, limit: number, revokedSince?: string) => {
      const part = { offset, limit, ...(revokedSince !== undefined && { revokedSince }) };
      const { keys, total } = await store.people.keyPage(accountId, part);
      return [...keys.map(({ id }) => id), total];
    };
    expect(await page(0, 20)).toEqual(["d8", "d6", "d4", "d3", "d1", "d9", "d7", "d5", "d2", 9]);
    expect(await page(0, 3)).toEqual(["d8", "d6", "d4", 9]);
    expect(await page(3, 3)).toEqual(["d3", "d1", "d9", 9]);
    expect(await page(6, 3)).toEqual(["d7", "d5", "d2", 9]);
    expect(await page(9, 3)).toEqual([9]);
    expect(await page(3, 9, dated(17))).toEqual(["d3", "d1", "d9", "d7", 7]);
    const named = await store.people.keysNamed(accountId, ["d1", "d9", "none", ...keyIds]);
    expect(named.map(({ id }) => id).sort()).toEqual(["d1", "d9"]);
    expect(named.find(({ id }) => id === "d9")?.revokedAt).toBe(dated(19));
    expect(
      JSON.stringify([named, await store.people.keyPage(accountId, { offset: 0, limit: 9 })]),
    ).not.toContain(hashOf("d1"));
  });

  it("counts the page's own calls against a separate rate, under a hidden key", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    const id = pageKeyOf(accountId);
    const page = { ...newKey(id, accountId, NOW), prefix: PAGE_KEY_PREFIX, hash: id };
    const added = await Promise.all(Array.from({ length: 3 }, () => store.people.addPageKey(page)));
    expect(added).toEqual([true, true, true]);
    expect(await store.people.addPageKey({ ...page, id: "page_none", accountId: "acc_none" })).toBe(false);
    const decided = await outcomes(
      store.metering.apply([...Array.from({ length: 61 }, () => call(id, 0)), call(key, 0)]),
    );
    expect(decided).toEqual([...Array(60).fill("granted 0"), "rate", "granted 0"]);
    const view = { ...call(id, 0), operation: "monitors" } as const;
    expect(await outcomes(store.metering.apply([view]))).toEqual(["rate"]);
    fixture.nowIso = "2026-05-05T12:01:00.000Z";
    const viewed = await outcomes(store.metering.apply(Array.from({ length: 61 }, () => view)));
    expect(viewed).toEqual([...Array(60).fill("granted 0"), "rate"]);
    // Free calls of the page take slots too.
    const counted = await store.ledger.lines(accountId, "2026-05-05", "2026-05-05");
    expect(counted).toMatchObject([
      { keyId: key, requests: 1 },
      { keyId: id, operation: "lookup", requests: 60, refusedByRate: 1 },
      { keyId: id, operation: "monitors", requests: 60, refusedByRate: 2 },
    ]);
    expect((await keysOf(store, accountId)).map((shown) => shown.id)).toEqual([key]);
    expect((await store.people.keysNamed(accountId, [id, key])).map((shown) => shown.id)).toEqual([key]);
    expect(await store.accounts.revokeKey(id, NOW)).toBe(false);
    expect(await store.accounts.addKey(newKey("next to the page", accountId, NOW), 2)).toBe("added");
    expect(await store.accounts.addKey(newKey("one too many", accountId, NOW), 2)).toBe("too-many");
  });

  it("lets an address create exactly its daily number of keys, including rolled ones, across deletion and a new account", async () => {
    const email = "daily@example.test";
    const of = (id: string) => ({ id, email, tierName: "small", isSuspended: false, createdAt: NOW });
    await store.accounts.add(of("acc_daily_1"));
    const daily = { subject: "hash of daily", day: "2026-05-05", limit: 10 };
    const made = await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        store.accounts.addKey(newKey(`daily ${index}`, "acc_daily_1", NOW), 8, daily),
      ),
    );
    expect(made.filter((result) => result === "added")).toHaveLength(8);
    expect(made.filter((result) => result === "too-many")).toHaveLength(7);
    const [first] = await keysOf(store, "acc_daily_1");
    const roll = (id: string, old = first?.id ?? "") =>
      store.people.rollKey(old, newKey(id, "acc_daily_1", NOW), NOW, 8, daily);
    expect(await roll("daily rolled")).toBe("added");
    await store.people.deleteAccount("acc_daily_1", daily.subject, 0);
    await store.accounts.add(of("acc_daily_2"));
    const again = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        store.accounts.addKey(newKey(`again ${index}`, "acc_daily_2", NOW), 8, daily),
      ),
    );
    expect(again.filter((result) => result === "added")).toHaveLength(1);
    expect(again.filter((result) => result === "too-many-today")).toHaveLength(4);
    const [last] = await keysOf(store, "acc_daily_2");
    const replaced = newKey("daily replaced", "acc_daily_2", NOW);
    expect(await store.people.rollKey(last?.id ?? "", replaced, NOW, 8, daily)).toBe("too-many-today");
    // A key that could not be replaced still works; the operator's keys do not count, and the count restarts the next
    // day.
    expect((await keysOf(store, "acc_daily_2")).map(({ revokedAt }) => revokedAt)).toEqual([undefined]);
    expect(await store.accounts.addKey(newKey("daily operator", "acc_daily_2", NOW), 8)).toBe("added");
    const next = { ...daily, day: "2026-05-06" };
    expect(await store.accounts.addKey(newKey("daily next", "acc_daily_2", NOW), 8, next)).toBe("added");
    const later = { idleMs: 1, knownSinceMs: 0, month: 0 };
    await store.people.deleteExpired({ nowMs: Date.parse("2026-05-08T00:00:00Z"), ...later });
    expect(await store.accounts.addKey(newKey("daily swept", "acc_daily_2", NOW), 8, daily)).toBe("added");
  });

  it("revokes a key once, and still finds it by its hash", async () => {
    const { keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    expect(await store.accounts.revokeKey(key, NOW)).toBe(true);
    expect(await store.accounts.revokeKey(key, NOW)).toBe(false);
    expect(await store.accounts.revokeKey("key_none", NOW)).toBe(false);
    const hashes = [hashOf("nobody"), hashOf(key), "' or 1=1 --", hashOf(key)];
    const found = { id: key, kind: "live" };
    expect(await store.metering.findKeys(hashes)).toEqual([null, found, null, found]);
    expect(await store.metering.findKeys([])).toEqual([]);
    expect(await outcomes(store.metering.apply([call(key, 1), call("key_none", 1)]))).toEqual([
      "revoked",
      "revoked",
    ]);
  });

  it("renames a key, moves its expiry to the millisecond and restricts its addresses, at once", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large", 2);
    const [key = "", other = ""] = keyIds;
    const from = (address?: string) => ({ ...call(key, 1), address });
    const shown = async () => (await keysOf(store, accountId)).find(({ id }) => id === key);
    expect(await shown()).not.toHaveProperty("lastUsedAt");
    const expiresAt = new Date(fixture.nowMs + 1_000).toISOString();
    const addresses = ["192.0.2.0/24", "2001:db8::7"];
    expect(await store.accounts.changeKey(key, { name: "shop", expiresAt, addresses })).toBe(true);
    expect(await shown()).toMatchObject({ name: "shop", expiresAt, addresses });
    fixture.nowMs += 999;
    const asks = ["192.0.2.9", "2001:db8::7", "192.0.3.9", undefined].map(from);
    expect(await outcomes(store.metering.apply(asks))).toEqual([
      "granted 1",
      "granted 1",
      "outside",
      "outside",
    ]);
    expect((await store.ledger.spent(accountId))?.used).toBe(2);
    expect(await shown()).toMatchObject({ lastUsedAt: "2026-05-05T12:00:00.000Z" });
    expect(
      await outcomes(store.metering.apply([{ ...reserve(key, "held at expiry", 3), address: "192.0.2.9" }])),
    ).toEqual(["granted 0"]);
    fixture.nowMs += 1;
    // Work that began before is delivered and paid.
    expect(
      await outcomes(
        store.metering.apply([from("192.0.2.9"), call(other, 1), settle(key, "held at expiry", 3)]),
      ),
    ).toEqual(["expired", "granted 1", "granted 3"]);
    const later = new Date(fixture.nowMs + 60_000).toISOString();
    expect(await store.accounts.changeKey(key, { expiresAt: later }, accountId)).toBe(true);
    expect(await outcomes(store.metering.apply([from("192.0.2.9"), from("192.0.3.9")]))).toEqual([
      "granted 1",
      "outside",
    ]);
    expect(await store.accounts.changeKey(key, { expiresAt: null, addresses: [] }, accountId)).toBe(true);
    for (const absent of ["expiresAt", "addresses"]) expect(await shown()).not.toHaveProperty(absent);
    fixture.nowMs += 61_000;
    expect(await outcomes(store.metering.apply([from()]))).toEqual(["granted 1"]);
  });

  it("does not change a key that is revoked, of another account, or unknown", async () => {
    const [{ keyIds }, stranger] = [
      await fixture.addAccount(store, "small"),
      await fixture.addAccount(store, "small"),
    ];
    const [key = ""] = keyIds;
    expect(await store.accounts.changeKey(key, { name: "stolen" }, stranger.accountId)).toBe(false);
    expect(await store.accounts.changeKey("key_none", { name: "none" })).toBe(false);
    expect(await store.accounts.changeKey(key, {})).toBe(true);
    await store.accounts.revokeKey(key, NOW);
    expect(await store.accounts.changeKey(key, { expiresAt: null })).toBe(false);
  });

  it("reports that an account to change does not exist", async () => {
    expect(await store.accounts.setTier("acc_none", "small")).toBe(false);
    expect(await store.accounts.setSuspended("acc_none", true, NOW)).toBe(false);
    expect(await store.ledger.spent("acc_none")).toBeUndefined();
    expect(await store.ledger.lines("acc_none", "2000-01-01", "2099-12-31")).toEqual([]);
  });

  it("returns the ledger's days from the first to the last, both included", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "large");
    const [key = ""] = keyIds;
    for (const day of ["04", "05", "06", "07"]) {
      fixture.nowIso = `2026-05-${day}T12:00:00.000Z`;
      await store.metering.apply([call(key, 1), call(key, 2)]);
    }
    const lines = await store.ledger.lines(accountId, "2026-05-05", "2026-05-06");
    expect(lines).toEqual(
      ["2026-05-05", "2026-05-06"].map((day) => ({
        keyId: key,
        day,
        operation: "lookup",
        ...NO_FIGURES,
        requests: 2,
        tokens: 3,
      })),
    );
  });

  it("answers a probe, and rejects everything as unavailable once closed", async () => {
    const other = await fixture.connect();
    await other.probe();
    await Promise.all([other.close(), other.close()]);
    await expect(other.probe()).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(other.metering.apply([])).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(other.accounts.all()).rejects.toBeInstanceOf(StoreUnavailable);
    await other.close();
  });
}
