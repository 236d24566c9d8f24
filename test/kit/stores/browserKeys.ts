import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { BrowserBounds } from "../../../src/accounts/stored.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { BrowserCaller } from "../../../src/metering/browserKey.ts";
import type { CallRequest } from "../../../src/metering/store.ts";
import { call, keysOf, newKey, type OpenStore, outcomes, reserve, StoreFixture, settle } from "./fixture.ts";

const NOON = "2026-03-15T12:00:00.000Z";
const DAY_END_SECONDS = Date.parse("2026-03-16T00:00:00.000Z") / 1_000;
const SHOP: BrowserCaller = { origin: "https://shop.example" };
const BOUNDS: BrowserBounds = { origins: ["https://shop.example"], mayLookUp: true, dailyTokens: 10 };

/** Browser keys: their pages, their allowed calls, and a daily token cap, exact over connections. */
export function browserKeys(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  let count = 0;
  beforeAll(async () => {
    fixture = new StoreFixture(open, NOON);
    store = await fixture.connect();
  });
  beforeEach(() => {
    fixture.nowIso = NOON;
  });
  afterAll(() => fixture.close());

  const typed = (keyId: string, browser: BrowserCaller | undefined = SHOP): CallRequest => ({
    ...call(keyId, 1),
    operation: "autocomplete",
    browser,
  });
  const many = (count: number, request: CallRequest) => Array.from({ length: count }, () => request);
  const withKey = async (bounds: Partial<BrowserBounds> = {}, tier = "wide") => {
    const { accountId, keyIds } = await fixture.addAccount(store, tier);
    const key = `pub_${++count}`;
    const browser = { ...BOUNDS, ...bounds };
    await store.accounts.addKey({ ...newKey(key, accountId, NOON), kind: "pub", browser }, 20);
    return { accountId, key, live: keyIds[0] ?? "" };
  };

  it("have permissions that can be changed, which other keys lack", async () => {
    const { accountId, key, live } = await withKey();
    const change = { browser: { origins: ["https://*.shop.example"], dailyTokens: 3 } };
    expect(await store.accounts.changeKey(key, change, accountId)).toBe(true);
    expect(await store.accounts.changeKey(live, change, accountId)).toBe(false);
    const keys = await keysOf(store, accountId);
    const kinds = keys.map((shown) => [shown.kind, shown.browser]);
    const changed = { origins: ["https://*.shop.example"], mayLookUp: true, dailyTokens: 3 };
    expect(kinds).toContainEqual(["pub", changed]);
    expect(kinds).toContainEqual(["live", undefined]);
    const rolled = { ...newKey(`${key}_rolled`, accountId, NOON), kind: "pub" as const, browser: changed };
    expect(await store.people.rollKey(key, rolled, NOON, 20)).toBe("added");
    expect((await store.people.keysNamed(accountId, [rolled.id]))[0]?.browser).toEqual(changed);
  });

  it("work from their pages only, for autocomplete and allowed lookups, and each refusal takes a slot", async () => {
    const { accountId, key } = await withKey({
      origins: ["https://shop.example", "https://*.fabel.example"],
    });
    const from = (origin: string | undefined, operation: CallRequest["operation"] = "autocomplete") => ({
      ...typed(key, origin === undefined ? {} : { origin }),
      operation,
    });
    const requests = [
      from("https://shop.example"),
      from("https://a.fabel.example", "lookup"),
      ...[
        from("https://fabel.example"),
        from("null"),
        from(undefined),
        { ...call(key, 1), operation: "autocomplete" as const },
      ],
      ...[from("https://shop.example", "lookup.enriched"), from("https://shop.example", "usage")],
      { ...reserve(key, "barred", 1), browser: { origin: "https://evil.example" } },
    ];
    expect(await outcomes(store.metering.apply(requests))).toEqual([
      ...["granted 1", "granted 1", "origin", "origin", "origin", "origin", "scope", "scope", "origin"],
    ]);
    await store.accounts.changeKey(key, { browser: { mayLookUp: false } });
    const decided = await store.metering.apply([from("https://shop.example", "lookup")]);
    expect(decided[0]).toMatchObject({ outcome: "scope", balance: { rateRemaining: 1_000_000 - 10 } });
    expect((await store.ledger.spent(accountId))?.used).toBe(2);
  });

  it("spend exactly their cap over parallel calls on two connections, and again on the next day", async () => {
    const other = await fixture.connect();
    const { accountId, key, live } = await withKey();
    const pending = Array.from({ length: 24 }, (_, index) =>
      outcomes((index % 2 === 0 ? store : other).metering.apply([typed(key), call(live, 1)])),
    );
    const decided = (await Promise.all(pending)).flat();
    // The account's other keys have no such cap.
    expect(decided.filter((outcome) => outcome === "granted 1")).toHaveLength(10 + 24);
    expect(decided.filter((outcome) => outcome === "daily")).toHaveLength(14);
    const [refused] = await store.metering.apply([typed(key)]);
    const keyDay = { limit: 10, remaining: 0, resetSeconds: DAY_END_SECONDS };
    expect(refused).toMatchObject({ outcome: "daily", balance: { keyDay, tokensRemaining: 66 } });
    expect(await outcomes(store.metering.apply([{ ...typed(key), price: 0, charge: 0 }]))).toEqual([
      "granted 0",
    ]);
    fixture.nowMs = DAY_END_SECONDS * 1_000 - 1;
    expect(await outcomes(other.metering.apply([typed(key)]))).toEqual(["daily"]);
    fixture.nowMs = DAY_END_SECONDS * 1_000;
    expect(await outcomes(other.metering.apply([...many(10, typed(key)), typed(key)]))).toEqual([
      ...[...Array(10).fill("granted 1"), "daily"],
    ]);
    expect((await store.ledger.spent(accountId))?.used).toBe(44);
    const lines = await store.ledger.lines(accountId, "2026-03-15", "2026-03-16");
    expect(lines.filter((line) => line.keyId === key).map((line) => line.refusedByAllowance)).toEqual([
      16, 1,
    ]);
  });

  it("reserve daily tokens for work in progress, and get back the unused ones", async () => {
    const { key } = await withKey({ dailyTokens: 3 });
    const reserved = (id: string) => ({
      ...reserve(key, id, 2),
      operation: "lookup" as const,
      browser: SHOP,
    });
    const id = (name: string) => `${key}_${name}`;
    expect(
      await outcomes(store.metering.apply([reserved(id("a")), reserved(id("b")), typed(key), typed(key)])),
    ).toEqual([...["granted 0", "daily", "granted 1", "daily"]]);
    // In a separate batch, in the same one, and after midnight: then it belonged to the previous day.
    expect(await outcomes(store.metering.apply([settle(key, id("a"), 0), typed(key)]))).toEqual([
      "granted 0",
      "granted 1",
    ]);
    const [, , last] = await store.metering.apply([typed(key), reserved(id("c")), typed(key)]);
    expect(last).toMatchObject({ outcome: "daily", balance: { keyDay: { remaining: 0 } } });
    fixture.nowIso = "2026-03-15T23:59:59.000Z";
    await store.accounts.changeKey(key, { browser: { dailyTokens: 5 } });
    expect(await outcomes(store.metering.apply([reserved(id("d"))]))).toEqual(["granted 0"]);
    fixture.nowIso = "2026-03-16T00:00:01.000Z";
    const decided = await store.metering.apply([...many(4, typed(key)), settle(key, id("d"), 0)]);
    expect(decided[4]).toMatchObject({ outcome: "granted", balance: { keyDay: { remaining: 1 } } });
    expect(await outcomes(store.metering.apply([typed(key), typed(key)]))).toEqual(["granted 1", "daily"]);
  });

  it("are distinguished from other keys used by pages, for which the last page is stored", async () => {
    const { accountId, key, live } = await withKey();
    const atMs = Date.parse(NOON);
    const seen = (keyId: string, origin: string, ms: number) => ({ keyId, origin, atMs: ms });
    await store.calls.addSightings([
      seen(live, "https://later.example", atMs),
      seen(key, "https://x.example", atMs),
    ]);
    await store.calls.addSightings([
      seen(live, "https://sooner.example", atMs - 1),
      seen("none", "null", atMs),
    ]);
    const keys = await keysOf(store, accountId);
    expect(keys.map(({ browserCall }) => browserCall)).toEqual(
      expect.arrayContaining([{ origin: "https://later.example", at: NOON }, undefined]),
    );
  });
}
