import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { ChargeRequest } from "../../../src/metering/store.ts";
import { call, type OpenStore, outcomes, reserve, StoreFixture, settle } from "./fixture.ts";
import { many, typed, withLeft } from "./typingFixture.ts";

const NOON = "2026-03-15T12:00:00.000Z";

/**
 * Typing sessions whose calls reserve before their work: a reservation is shared, and each delivered call takes a
 * place.
 */
export function sharedSessions(open: OpenStore): void {
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

  const hold = (key: string, id: string, session = "s") => ({ ...reserve(key, `${key} ${id}`, 1), session });
  const end = (key: string, id: string, charge = 1, session = "s") => ({
    ...settle(key, `${key} ${id}`, charge),
    session,
  });
  const decide = (...asks: ChargeRequest[]) => outcomes(store.metering.apply(asks));
  const sumsOf = async (accountId: string) => {
    const lines = await store.ledger.lines(accountId, "2026-03-01", "2026-04-30");
    const sum = (figure: "tokens" | "sessions" | "sessionCalls") =>
      lines.reduce((total, line) => total + line[figure], 0);
    return [sum("tokens"), sum("sessions"), sum("sessionCalls")];
  };

  it.each([
    ["the first is delivered first", "ab"],
    ["the second is", "ba"],
  ])(
    "lets a second first call share the token reserved by the first, the last one left: %s",
    async (_what, order) => {
      const { accountId, key } = await withLeft(fixture, store, 1);
      expect(await decide(hold(key, "a"))).toEqual(["granted 0"]);
      expect(await decide(hold(key, "b"), call(key, 1), hold(key, "c", "other"))).toEqual([
        "granted 0",
        "quota",
        "quota",
      ]);
      const [one = "", other = ""] = order;
      expect(await decide(end(key, one), call(key, 1))).toEqual(["granted 1", "quota"]);
      expect(await decide(end(key, other), typed(key), call(key, 1))).toEqual([
        "granted 0",
        "granted 0",
        "quota",
      ]);
      expect(await sumsOf(accountId)).toEqual([100, 1, 3]);
    },
  );

  it("leaves the token to the second call if the first fails, to no other call, and releases it if both fail", async () => {
    const { accountId, key } = await withLeft(fixture, store, 1);
    await decide(hold(key, "a"), hold(key, "b"));
    expect(await decide(end(key, "a", 0), call(key, 1), end(key, "b"))).toEqual([
      "granted 0",
      "quota",
      "granted 1",
    ]);
    expect(await sumsOf(accountId)).toEqual([100, 1, 1]);
    const again = await withLeft(fixture, store, 1);
    await decide(hold(again.key, "a"), hold(again.key, "b"), hold(again.key, "c"));
    const failed = [
      end(again.key, "b", 0),
      end(again.key, "a", 0),
      call(again.key, 1),
      end(again.key, "c", 0),
    ];
    expect(await decide(...failed, call(again.key, 1))).toEqual([
      "granted 0",
      "granted 0",
      "quota",
      "granted 0",
      "granted 1",
    ]);
  });

  it("lets a call answered at once spend a token reserved by another call of its session", async () => {
    const { accountId, key } = await withLeft(fixture, store, 1);
    expect(await decide(hold(key, "a"), typed(key, "s", 0), typed(key), end(key, "a"), call(key, 1))).toEqual(
      ["granted 0", "granted 0", "granted 1", "granted 0", "quota"],
    );
    expect(await sumsOf(accountId)).toEqual([100, 1, 2]);
  });

  it("shares one token among forty-one calls, and each further one needs another", async () => {
    const { accountId, key } = await withLeft(fixture, store, 1);
    const ids = Array.from({ length: 41 }, (_, index) => `r${index}`);
    expect(await decide(...ids.map((id) => hold(key, id)))).toEqual(Array(41).fill("granted 0"));
    expect(await decide(hold(key, "more"), typed(key))).toEqual(["quota", "quota"]);
    // The last call begins the session: all others have their place in it, including the one that reserved the token.
    expect(await decide(end(key, "r40"), typed(key))).toEqual(["granted 1", "quota"]);
    expect(await decide(...ids.slice(0, 40).map((id) => end(key, id)))).toEqual(Array(40).fill("granted 0"));
    expect(await sumsOf(accountId)).toEqual([100, 1, 41]);
  });

  it("lets as many more calls share as there are reservations, and charges each session once", async () => {
    const { accountId, key } = await withLeft(fixture, store, 2);
    const ids = Array.from({ length: 82 }, (_, index) => `r${index}`);
    expect(await decide(...ids.map((id) => hold(key, id)), hold(key, "more"))).toEqual([
      ...Array(82).fill("granted 0"),
      "quota",
    ]);
    const charged = await decide(...ids.toReversed().map((id) => end(key, id)));
    expect(charged.flatMap((outcome, place) => (outcome === "granted 1" ? [place] : []))).toHaveLength(2);
    expect(await sumsOf(accountId)).toEqual([100, 2, 82]);
    expect(await decide(call(key, 1))).toEqual(["quota"]);
  });

  it("releases the place of a following call that fails, and none of a session begun later", async () => {
    const { accountId, key } = await withLeft(fixture, store, 2);
    await decide(typed(key), hold(key, "late"));
    for (let place = 0; place < 50; place++) {
      expect(await decide(hold(key, `f${place}`), end(key, `f${place}`, 0))).toEqual([
        "granted 0",
        "granted 0",
      ]);
    }
    expect(await decide(...many(39, typed(key)))).toEqual(Array(39).fill("granted 0"));
    fixture.nowMs += 1;
    expect(await decide(typed(key), end(key, "late", 0))).toEqual(["granted 1", "granted 0"]);
    expect(await decide(...many(41, typed(key)))).toEqual([...Array(40).fill("granted 0"), "quota"]);
    expect(await sumsOf(accountId)).toEqual([100, 2, 81]);
  });

  it("charges calls late that shared with an unfinished call, if the allowance covers it", async () => {
    for (const [left, expected] of [
      [1, "lapsed"],
      [2, "granted 1"],
    ] as const) {
      fixture.nowIso = NOON;
      const { key } = await withLeft(fixture, store, left);
      await decide(hold(key, "killed"));
      fixture.nowMs += 20_000;
      await decide(hold(key, "b"));
      fixture.nowMs += 10_000;
      expect(await decide(call(key, 1), end(key, "b"))).toEqual(["granted 1", expected]);
    }
  });

  it("shares no token across months, and charges a shared one in its own month", async () => {
    const { accountId, key } = await withLeft(fixture, store, 1);
    fixture.nowIso = "2026-03-31T23:59:50.000Z";
    await decide(hold(key, "a"), hold(key, "b"));
    fixture.nowIso = "2026-04-01T00:00:05.000Z";
    expect(await decide(hold(key, "c"), end(key, "b"), end(key, "a"), end(key, "c"))).toEqual([
      "granted 0",
      "granted 1",
      "granted 0",
      "granted 0",
    ]);
    const lines = await store.ledger.lines(accountId, "2026-03-31", "2026-04-30");
    expect(lines.map(({ day, tokens }) => [day, tokens])).toEqual([
      ["2026-03-31", 1],
      ["2026-04-01", 0],
    ]);
    expect((await store.ledger.spent(accountId))?.used).toBe(0);
  });
}
