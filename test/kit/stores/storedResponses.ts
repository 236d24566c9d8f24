import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import {
  type StoredResponsePosition,
  withdrawAllResponses,
} from "../../../src/metering/queries/storedResponses.ts";
import { type IdempotencyEntry, MAX_STORED_RESPONSE_MS } from "../../../src/metering/responses.ts";
import type { ChargeRequest, Decision } from "../../../src/metering/store.ts";
import { call, decisions, type OpenStore, outcomes, reserve, StoreFixture, settle } from "./fixture.ts";

const MARCH = "2026-03-15T12:00:30.000Z";
const DAY_MS = 86_400_000;
const NAMED = "50000001";
const OTHER = "50000002";

/** Responses stored with their charge: replayed free of charge, unchanged, until they expire or are withdrawn. */
export function storedResponses(open: OpenStore): void {
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

  const account = async (tierName = "small") => {
    const { accountId, keyIds } = await fixture.addAccount(store, tierName);
    return { accountId, key: keyIds[0] ?? "" };
  };
  const entry = (id: string, text = "={}", more: Partial<IdempotencyEntry> = {}): IdempotencyEntry => ({
    id,
    requestHash: "one",
    response: { status: 200, text, numbers: [NAMED], lifetimeMs: DAY_MS },
    ...more,
  });
  const known = (id: string, requestHash = "one"): IdempotencyEntry => ({ id, requestHash });
  const apply = async (...asks: ChargeRequest[]) => (await store.metering.apply(asks)) as readonly Decision[];
  const one = async (ask: ChargeRequest) => (await apply(ask))[0];

  const deleteExpired = async (nowMs: number) => {
    while (await store.people.deleteExpired({ nowMs, idleMs: DAY_MS, knownSinceMs: 0, month: 0 }));
  };
  /** The number of stored responses of all accounts. */
  const storedCount = async () => {
    let count = -1;
    for (
      let after: StoredResponsePosition | undefined = { accountId: "", id: "" };
      after !== undefined;
      count++
    ) {
      after = await store.responses.withdrawResponses([], after, 1);
    }
    return count;
  };

  it("replays a stored response free of charge, within one batch and across batches, and takes a slot", async () => {
    const { accountId, key } = await account();
    const request = { ...call(key, 5), idempotency: entry("a", '={"quoted \\ \\"é🗝": "{,}"}') };
    const [first, second] = await apply(request, request);
    expect(first).toMatchObject({ outcome: "granted", charged: 5 });
    const repeated = {
      outcome: "repeated",
      response: { status: 200, text: request.idempotency.response?.text, numbers: [NAMED] },
    };
    expect(second).toMatchObject(repeated);
    expect(await one(request)).toMatchObject({
      ...repeated,
      balance: { tokensUsed: 5, tokensRemaining: 15, rateRemaining: 3 },
    });
    const [line] = await store.ledger.lines(accountId, "2026-03-01", "2026-03-31");
    expect(line).toMatchObject({ requests: 3, tokens: 5 });
  });

  it("charges exactly one of many concurrent calls over two connections", async () => {
    const { accountId, key } = await account("large");
    const other = await fixture.connect();
    const request = { ...call(key, 1), idempotency: entry("a") };
    const all = await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        decisions((index % 2 === 0 ? store : other).metering.apply([request, request])),
      ),
    );
    const allOutcomes = all.flat().map(({ outcome }) => outcome);
    expect(allOutcomes.filter((outcome) => outcome === "granted")).toHaveLength(1);
    expect(allOutcomes.filter((outcome) => outcome === "repeated")).toHaveLength(29);
    expect((await store.ledger.spent(accountId))?.used).toBe(1);
  });

  it("replays without a token, and refuses because of the rate, a suspension or a revoked key", async () => {
    const { accountId, key } = await account();
    const request = { ...call(key, 20), idempotency: entry("a") };
    await one(request);
    expect(await outcomes(store.metering.apply([request, call(key, 1)]))).toEqual(["repeated", "quota"]);
    await store.accounts.setSuspended(accountId, true, MARCH);
    expect(await outcomes(store.metering.apply([request]))).toEqual(["suspended"]);
    await store.accounts.setSuspended(accountId, false, MARCH);
    expect(await outcomes(store.metering.apply([request, request, request]))).toEqual([
      "repeated",
      "repeated",
      "rate",
    ]);
    await store.accounts.revokeKey(key, MARCH);
    expect(await outcomes(store.metering.apply([request]))).toEqual(["revoked"]);
  });

  it("stores nothing for a refused call, and nothing for a request without a response", async () => {
    const { key } = await account();
    expect(await outcomes(store.metering.apply([{ ...call(key, 21), idempotency: entry("a") }]))).toEqual([
      "quota",
    ]);
    expect(await outcomes(store.metering.apply([{ ...call(key, 1, 0), idempotency: known("a") }]))).toEqual([
      "granted 0",
    ]);
    expect(await outcomes(store.metering.apply([{ ...call(key, 1), idempotency: entry("a") }]))).toEqual([
      "granted 1",
    ]);
    expect(await outcomes(store.metering.apply([{ ...call(key, 1, 0), idempotency: known("a") }]))).toEqual([
      "repeated",
    ]);
  });

  it("reports a conflict for a different request, separately for each account", async () => {
    const [{ key }, other] = [await account(), await account()];
    await one({ ...call(key, 1), idempotency: entry("a") });
    const request = { ...call(key, 1), idempotency: entry("a", "={}", { requestHash: "two" }) };
    expect(await one(request)).toEqual({ outcome: "conflict", balance: expect.anything() });
    expect(await outcomes(store.metering.apply([{ ...request, keyId: other.key }]))).toEqual(["granted 1"]);
  });

  it("replaces an expired response", async () => {
    const { key } = await account();
    await one({ ...call(key, 1), idempotency: entry("a") });
    fixture.nowMs += DAY_MS - 1;
    expect(await outcomes(store.metering.apply([{ ...call(key, 1), idempotency: entry("a") }]))).toEqual([
      "repeated",
    ]);
    fixture.nowMs += 1;
    const request = { ...call(key, 1), idempotency: entry("a", "=[2]", { requestHash: "two" }) };
    expect(await outcomes(store.metering.apply([request]))).toEqual(["granted 1"]);
    expect(await one(request)).toMatchObject({ outcome: "repeated", response: { text: "=[2]" } });
  });

  it("marks work in progress until it is settled, within one batch and across batches, and then replays its response", async () => {
    const { accountId, key } = await account();
    const reserving = { ...reserve(key, `${key} r1`, 5), idempotency: known("a") };
    const again = { ...reserve(key, `${key} r2`, 5), idempotency: known("a") };
    const [first, second] = await apply(reserving, again);
    expect(first).toMatchObject({ outcome: "granted" });
    expect(second).toMatchObject({ outcome: "conflict", lapsesInMs: 30_000 });
    fixture.nowMs += 10_000;
    expect(await one(again)).toMatchObject({ outcome: "conflict", lapsesInMs: 20_000 });
    const another = { ...again, idempotency: known("a", "two") };
    expect(await one(another)).toEqual({ outcome: "conflict", balance: expect.anything() });
    const settled = await apply({ ...settle(key, `${key} r1`, 4), idempotency: entry("a", "=[4]") }, again);
    expect(settled).toMatchObject([
      { outcome: "granted", charged: 4 },
      { outcome: "repeated", response: { text: "=[4]" }, balance: { tokensUsed: 4, tokensRemaining: 16 } },
    ]);
    expect((await store.ledger.spent(accountId))?.used).toBe(4);
  });

  it("removes the mark when work fails", async () => {
    const { key } = await account();
    await one({ ...reserve(key, `${key} r1`, 5), idempotency: known("a") });
    await one(settle(key, `${key} r1`, 0));
    expect(
      await outcomes(store.metering.apply([{ ...reserve(key, `${key} r2`, 5), idempotency: known("a") }])),
    ).toEqual(["granted 0"]);
  });

  it("expires a mark with its reservation, and charges once if the work completes after all", async () => {
    const { accountId, key } = await account();
    await one({ ...reserve(key, `${key} r1`, 5), idempotency: known("a") });
    fixture.nowMs += 30_000;
    expect(
      await outcomes(store.metering.apply([{ ...call(key, 5), idempotency: entry("a", "=[1]") }])),
    ).toEqual(["granted 5"]);
    expect(await one({ ...settle(key, `${key} r1`, 5), idempotency: entry("a", "=[2]") })).toMatchObject({
      outcome: "repeated",
      response: { text: "=[1]" },
    });
    expect((await store.ledger.spent(accountId))?.used).toBe(5);
    expect(await outcomes(store.metering.apply([call(key, 15)]))).toEqual(["granted 15"]);
  });

  it("withdraws responses with a suppressed company or its VAT number, which stay paid", async () => {
    const { key } = await account();
    const containing = (id: string, numbers: readonly string[]) => ({
      ...call(key, 1),
      idempotency: entry(id, "=x", { response: { status: 200, text: "=x", numbers, lifetimeMs: DAY_MS } }),
    });
    const asks = [containing("a", [NAMED]), containing("b", [OTHER]), containing("c", ["DE123456789"])];
    await apply(...asks);
    await withdrawAllResponses(store.responses, [NAMED, "DE123456789"]);
    const decided = await apply(...asks);
    const withdrawn = { outcome: "repeated", response: { status: 200, numbers: [] } };
    expect(decided).toEqual([
      { ...withdrawn, balance: expect.anything() },
      {
        outcome: "repeated",
        response: { status: 200, text: "=x", numbers: [OTHER] },
        balance: expect.anything(),
      },
      { ...withdrawn, balance: expect.anything() },
    ]);
  });

  it("withdraws in small steps, with charges in between, however many responses are stored", async () => {
    const { key } = await account("endless");
    const asks = Array.from({ length: 900 }, (_, index) => ({
      ...call(key, 1),
      idempotency: entry(`many ${index}`, "=x", {
        response: { status: 200, text: "=x", numbers: [index % 7 === 0 ? NAMED : OTHER], lifetimeMs: DAY_MS },
      }),
    }));
    await apply(...asks);
    const isWithdrawn = async () => {
      const decided = await apply(...asks);
      return decided.map((one) => one.outcome === "repeated" && one.response.text === undefined);
    };
    const sums: number[] = [0];
    await withdrawAllResponses(
      {
        async withdrawResponses(numbers, after, limit) {
          const ended = await store.responses.withdrawResponses(numbers, after, limit);
          expect(limit).toBeLessThanOrEqual(200);
          expect(await outcomes(store.metering.apply([call(key, 1)]))).toEqual(["granted 1"]);
          const sum = (await isWithdrawn()).filter(Boolean).length;
          expect(sum - (sums.at(-1) ?? 0)).toBeLessThanOrEqual(limit);
          sums.push(sum);
          return ended;
        },
      },
      [NAMED],
    );
    expect(sums.length).toBeGreaterThan(900 / 200);
    expect(await isWithdrawn()).toEqual(asks.map((_, index) => index % 7 === 0));
  });

  it("deletes responses with their account", async () => {
    const { accountId, key } = await account();
    await one({ ...call(key, 1), idempotency: entry("a") });
    await deleteExpired(fixture.nowMs + MAX_STORED_RESPONSE_MS);
    await one({ ...call(key, 1), idempotency: entry("b") });
    expect(await store.people.deleteAccount(accountId, `hash of ${accountId}`, 0)).toBe(true);
    while (await store.people.sweepDeleted());
    expect(await storedCount()).toBe(0);
  });

  it("deletes expired responses, including those stored by a clock that was ahead", async () => {
    const { key } = await account();
    await deleteExpired(fixture.nowMs + MAX_STORED_RESPONSE_MS);
    await apply(...["a", "b", "c"].map((id) => ({ ...call(key, 1), idempotency: entry(id) })));
    await deleteExpired(fixture.nowMs + DAY_MS - 1);
    expect(await storedCount()).toBe(3);
    await deleteExpired(fixture.nowMs + DAY_MS);
    expect(await storedCount()).toBe(0);
    fixture.nowMs += 30 * DAY_MS;
    await one({ ...call(key, 1), idempotency: entry("d") });
    expect(await storedCount()).toBe(1);
    fixture.nowIso = MARCH;
    await deleteExpired(fixture.nowMs);
    expect(await storedCount()).toBe(0);
  });
}
