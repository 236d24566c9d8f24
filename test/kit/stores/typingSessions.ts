import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { type OpenStore, outcomes, StoreFixture } from "./fixture.ts";
import { many, typed, withLeft } from "./typingFixture.ts";

const NOON = "2026-03-15T12:00:00.000Z";
const MINUTE_MS = 60_000;

/** Typing sessions: paid for once, followed by up to forty calls within three minutes, exact over connections. */
export function typingSessions(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, NOON);
    store = await fixture.connect();
  });
  beforeEach(() => {
    fixture.nowIso = NOON;
  });
  afterAll(() => fixture.close());

  const lineOf = async (accountId: string) => {
    const [line, ...others] = await store.ledger.lines(accountId, "2026-03-15", "2026-03-15");
    expect(others).toEqual([]);
    return line;
  };

  it("costs one token for a first call and forty that follow, in one batch or in many", async () => {
    const { accountId, key } = await withLeft(fixture, store, 100);
    const requests = [...many(25, typed(key)), ...many(20, typed(key))];
    const charged = [
      ...(await outcomes(store.metering.apply(requests.slice(0, 25)))),
      ...(await outcomes(store.metering.apply(requests.slice(25)))),
    ];
    const paid = charged.flatMap((outcome, place) => (outcome === "granted 1" ? [place] : []));
    expect([paid, charged.filter((outcome) => outcome === "granted 0").length]).toEqual([[0, 41], 43]);
    expect(await lineOf(accountId)).toMatchObject({ requests: 45, tokens: 2, sessions: 2, sessionCalls: 45 });
    expect((await store.ledger.spent(accountId))?.used).toBe(2);
  });

  it("costs one token in total for concurrent first calls over two connections", async () => {
    const other = await fixture.connect();
    const { accountId, key } = await withLeft(fixture, store, 100);
    const pending = Array.from({ length: 40 }, (_, index) =>
      outcomes((index % 2 === 0 ? store : other).metering.apply([typed(key)])),
    );
    const charged = (await Promise.all(pending)).flat();
    expect(charged.filter((outcome) => outcome === "granted 1")).toHaveLength(1);
    expect(charged.filter((outcome) => outcome === "granted 0")).toHaveLength(39);
    expect(await lineOf(accountId)).toMatchObject({ requests: 40, tokens: 1, sessions: 1, sessionCalls: 40 });
  });

  it("is delivered to its end without tokens left, and a new one does not begin", async () => {
    const { accountId, key } = await withLeft(fixture, store, 1);
    const charged = await outcomes(store.metering.apply(many(42, typed(key))));
    expect(charged.filter((outcome) => outcome !== "granted 0")).toEqual(["granted 1", "quota"]);
    expect(charged[41]).toBe("quota");
    expect(await outcomes(store.metering.apply([typed(key, "other")]))).toEqual(["quota"]);
    expect((await store.ledger.spent(accountId))?.used).toBe(100);
  });

  it("ends three minutes after the paid call", async () => {
    const { key } = await withLeft(fixture, store, 100);
    await store.metering.apply([typed(key)]);
    fixture.nowMs += 3 * MINUTE_MS;
    expect(await outcomes(store.metering.apply([typed(key)]))).toEqual(["granted 0"]);
    fixture.nowMs += 1;
    expect(await outcomes(store.metering.apply([typed(key), typed(key)]))).toEqual([
      "granted 1",
      "granted 0",
    ]);
  });

  it("belongs to one key; another key's session with the same name is separate", async () => {
    const { key, other } = await withLeft(fixture, store, 100, 2);
    const requests = [typed(key), typed(other), typed(key, "t"), typed(other)];
    expect(await outcomes(store.metering.apply(requests))).toEqual([
      "granted 1",
      "granted 1",
      "granted 1",
      "granted 0",
    ]);
  });

  it("does not begin with a failed call, and a call that fails later takes no place", async () => {
    const { accountId, key } = await withLeft(fixture, store, 100);
    expect(
      await outcomes(store.metering.apply([typed(key, "s", 0), { ...typed(key, "s", 0), price: 0 }])),
    ).toEqual(["granted 0", "granted 0"]);
    const requests = [typed(key), ...many(5, typed(key, "s", 0)), ...many(41, typed(key))];
    const charged = await outcomes(store.metering.apply(requests));
    expect(charged.flatMap((outcome, place) => (outcome === "granted 1" ? [place] : []))).toEqual([0, 46]);
    expect(await lineOf(accountId)).toMatchObject({ requests: 49, tokens: 2, sessions: 2, sessionCalls: 42 });
  });

  it("takes a slot of the rate with each call, and does not begin with a call over the rate", async () => {
    const { accountId, keyIds } = await fixture.addAccount(store, "small");
    const [key = ""] = keyIds;
    const charged = await outcomes(store.metering.apply(many(8, typed(key))));
    expect(charged).toEqual(["granted 1", ...Array(5).fill("granted 0"), "rate", "rate"]);
    expect(await outcomes(store.metering.apply([typed(key, "t")]))).toEqual(["rate"]);
    fixture.nowMs += MINUTE_MS;
    expect(await outcomes(store.metering.apply([typed(key), typed(key, "t")]))).toEqual([
      "granted 0",
      "granted 1",
    ]);
    expect(await lineOf(accountId)).toMatchObject({
      requests: 8,
      refusedByRate: 3,
      sessions: 2,
      sessionCalls: 8,
    });
  });

  it("is checked before its work, needs no token while open, and is counted once", async () => {
    const { accountId, key } = await withLeft(fixture, store, 1);
    const ask = typed(key, "s", 0);
    const charge = { ...typed(key), isCounted: true };
    expect(await outcomes(store.metering.apply([ask, charge, ask, charge]))).toEqual([
      "granted 0",
      "granted 1",
      "granted 0",
      "granted 0",
    ]);
    expect(await lineOf(accountId)).toMatchObject({ requests: 3, sessions: 1, sessionCalls: 2 });
  });

  it("continues when the clock goes back, and over the end of a month", async () => {
    const { accountId, key } = await withLeft(fixture, store, 100);
    fixture.nowIso = "2026-03-31T23:59:00.000Z";
    await store.metering.apply([typed(key)]);
    fixture.nowIso = "2026-03-31T23:54:00.000Z";
    expect(await outcomes(store.metering.apply([typed(key)]))).toEqual(["granted 0"]);
    fixture.nowIso = "2026-04-01T00:02:00.000Z";
    expect(await outcomes(store.metering.apply([typed(key)]))).toEqual(["granted 0"]);
    const lines = await store.ledger.lines(accountId, "2026-03-01", "2026-04-30");
    expect(
      lines.map(({ day, tokens, sessions, sessionCalls }) => [day, tokens, sessions, sessionCalls]),
    ).toEqual([
      ["2026-03-31", 1, 1, 2],
      ["2026-04-01", 0, 0, 1],
    ]);
  });

  it("begun on a clock far ahead is moved to the present, and ends from there", async () => {
    const { key } = await withLeft(fixture, store, 100);
    fixture.nowMs += 24 * 60 * MINUTE_MS;
    await store.metering.apply([typed(key)]);
    fixture.nowIso = NOON;
    expect(await outcomes(store.metering.apply([typed(key)]))).toEqual(["granted 0"]);
    fixture.nowMs += 3 * MINUTE_MS + 1;
    expect(await outcomes(store.metering.apply([typed(key)]))).toEqual(["granted 1"]);
  });

  it("survives closing and opening, and is deleted with its account", async () => {
    const { accountId, key } = await withLeft(fixture, store, 100);
    await store.metering.apply([typed(key)]);
    const reopened = await fixture.connect();
    expect(await outcomes(reopened.metering.apply([typed(key)]))).toEqual(["granted 0"]);
    const until = fixture.nowMs + MINUTE_MS;
    expect(await store.people.deleteAccount(accountId, `hash of ${accountId}`, until)).toBe(true);
  });
}
