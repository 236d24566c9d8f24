import { afterEach, describe, expect, it, vi } from "vitest";
import { call, GatedStore, NOW_MS, nextTurn, TIER } from "../../test/kit/gatedStore.ts";
import { StoreUnavailable } from "../lib/storeErrors.ts";
import { balanceOf } from "./decide.ts";
import { Meter, MeterOverloaded } from "./meter.ts";
import type { ChargeRequest, Decision, MeteringStore } from "./store.ts";

const GRANTED: Decision = {
  outcome: "granted",
  charged: 1,
  balance: balanceOf(
    { keyId: "key_1", accountId: "acc_1", isRevoked: false, minute: 0, callsInMinute: 1 },
    { accountId: "acc_1", tierName: "t", isSuspended: false, month: 0, used: 1, reserved: 0 },
    TIER,
    NOW_MS,
  ),
};

/** Holds back the requests of one key until the test releases them. */
class HoldingStore implements MeteringStore {
  readonly gated = new GatedStore();
  readonly held = Promise.withResolvers<Decision>();
  readonly findKeys = this.gated.findKeys;

  async apply(requests: readonly ChargeRequest[]) {
    const others = requests.filter(({ keyId }) => keyId !== "held");
    const decided = (await this.gated.apply(others)).values();
    return requests.flatMap(({ keyId }): readonly (Decision | Promise<Decision>)[] => {
      const { value } = keyId === "held" ? { value: this.held.promise } : decided.next();
      return value === undefined ? [] : [value];
    });
  }
}

describe("the meter", () => {
  const open = (store: MeteringStore, options: ConstructorParameters<typeof Meter>[1] = {}) =>
    new Meter(store, { now: () => NOW_MS, ...options });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("collects concurrent requests, and those that arrive during a write, into one batch each", async () => {
    const store = new GatedStore();
    const meter = open(store);
    const first = [meter.decide(call()), meter.decide(call())];
    await nextTurn();
    const second = [meter.decide(call()), meter.decide(call()), meter.decide(call()), meter.decide(call())];
    await nextTurn();
    expect(store.batches.map((batch) => batch.length)).toEqual([2]);
    await store.finish();
    expect(store.batches.map((batch) => batch.length)).toEqual([2, 4]);
    await store.finish();
    const outcomes = (await Promise.all([...first, ...second])).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["granted", "granted", "granted", "granted", "granted", "quota"]);
  });

  it("sends each turn's requests to a store in as many batches as it accepts, and collects the rest", async () => {
    const store = new GatedStore();
    const meter = open(store, { batchesAtOnce: 2, minBatchSize: 1 });
    const batchSizes = () => store.batches.map((batch) => batch.length);
    const asked: Promise<Decision>[] = [];
    const ask = async (count: number) => {
      asked.push(...Array.from({ length: count }, () => meter.decide(call())));
      await nextTurn();
    };
    await ask(20);
    await ask(3);
    expect(batchSizes()).toEqual([20, 3]);
    await ask(1);
    await ask(4);
    expect([batchSizes(), meter.waitingRequests]).toEqual([[20, 3], 28]);
    for (let round = 0; round < 3; round++) await store.finish();
    expect([batchSizes(), meter.waitingRequests]).toEqual([[20, 3, 5], 0]);
    const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "granted")).toHaveLength(5);
  });

  it("answers a request with a locked account after its batch, and continues with other batches meanwhile", async () => {
    const store = new HoldingStore();
    const meter = open(store);
    const held = meter.decide(call("held"));
    const first = meter.decide(call("key_1"));
    await nextTurn();
    await store.gated.finish();
    await expect(first).resolves.toMatchObject({ outcome: "granted" });
    const second = meter.decide(call("key_1"));
    await nextTurn();
    await store.gated.finish();
    await expect(second).resolves.toMatchObject({ outcome: "granted" });
    expect(meter.waitingRequests).toBe(1);
    const closed = meter.close();
    store.held.resolve(GRANTED);
    await expect(held).resolves.toBe(GRANTED);
    await closed;
    expect(meter.waitingRequests).toBe(0);
  });

  it("fails only the request whose account stays locked for too long", async () => {
    const store = new HoldingStore();
    const meter = open(store);
    const held = meter.decide(call("held"));
    const other = meter.decide(call("key_1"));
    await nextTurn();
    await store.gated.finish();
    await expect(other).resolves.toMatchObject({ outcome: "granted" });
    store.held.reject(new StoreUnavailable("the test says so"));
    await expect(held).rejects.toBeInstanceOf(StoreUnavailable);
    await meter.close();
  });

  it("sends a small batch only if no other is running", async () => {
    const store = new GatedStore();
    const meter = open(store, { batchesAtOnce: 2, minBatchSize: 3 });
    const batchSizes = () => store.batches.map((batch) => batch.length);
    const asked = [meter.decide(call())];
    await nextTurn();
    asked.push(meter.decide(call()), meter.decide(call()));
    await nextTurn();
    expect(batchSizes()).toEqual([1]);
    asked.push(meter.decide(call()));
    await nextTurn();
    expect(batchSizes()).toEqual([1, 3]);
    asked.push(meter.decide(call()));
    await store.finish();
    expect(batchSizes()).toEqual([1, 3, 1]);
    for (let round = 0; round < 2; round++) await store.finish();
    await Promise.all(asked);
  });

  it("fills a batch to its minimum, or until no other is running, for a store that asks for that", async () => {
    const store = new GatedStore();
    const meter = open(store, { batchesAtOnce: 2, minBatchSize: 3, fillsBatches: true });
    const batchSizes = () => store.batches.map((batch) => batch.length);
    const asked: Promise<Decision>[] = [];
    const ask = async (count: number) => {
      asked.push(...Array.from({ length: count }, () => meter.decide(call())));
      await nextTurn();
    };
    await ask(1);
    await ask(3);
    await ask(2);
    await store.finish();
    await nextTurn();
    expect(batchSizes()).toEqual([1, 3]);
    await ask(1);
    expect(batchSizes()).toEqual([1, 3, 3]);
    await ask(1);
    await store.finish();
    await nextTurn();
    expect(batchSizes()).toEqual([1, 3, 3]);
    await store.finish();
    await nextTurn();
    expect(batchSizes()).toEqual([1, 3, 3, 1]);
    await store.finish();
    expect(await Promise.all(asked)).toHaveLength(8);
  });

  it("is idle only when all batches are written", async () => {
    const store = new GatedStore();
    const meter = open(store, { batchesAtOnce: 4 });
    const asked = Promise.all(Array.from({ length: 1_100 }, () => meter.decide(call())));
    await nextTurn();
    let isClosed = false;
    const closed = meter.close().then(() => {
      isClosed = true;
    });
    await store.finish();
    await store.finish();
    expect(isClosed).toBe(false);
    await store.finish();
    await closed;
    expect(await asked).toHaveLength(1_100);
  });

  it("returns nothing before the batch is written", async () => {
    const store = new GatedStore();
    const meter = open(store);
    let isTold = false;
    const asked = meter.decide(call()).then(() => {
      isTold = true;
    });
    await nextTurn();
    expect([store.batches.length, isTold]).toEqual([1, false]);
    await store.finish();
    await asked;
    expect(isTold).toBe(true);
  });

  it("writes more requests than fit in one batch as several, in order", async () => {
    const store = new GatedStore();
    const meter = open(store);
    const asked = Array.from({ length: 1_100 }, (_, index) => meter.decide(call(`key_${index}`)));
    for (let round = 0; round < 3; round++) await store.finish();
    await Promise.all(asked);
    expect(store.batches.map((batch) => batch.length)).toEqual([512, 512, 76]);
    expect(store.batches.flat().map(({ keyId }) => keyId)).toEqual(asked.map((_, index) => `key_${index}`));
  });

  it("refuses at once if too many are waiting, and accepts requests again afterwards", async () => {
    const store = new GatedStore();
    const meter = open(store, { maxWaiting: 3 });
    const asked = [call(), call(), call()].map((request) => meter.decide(request));
    await expect(meter.decide(call())).rejects.toBeInstanceOf(MeterOverloaded);
    await store.finish();
    await Promise.all(asked);
    const later = meter.decide(call());
    await store.finish();
    expect((await later).outcome).toBe("granted");
    expect(store.batches.flat()).toHaveLength(4);
  });

  it("fails every request of a failed batch, and the next one works", async () => {
    const store = new GatedStore();
    const meter = open(store);
    store.isUnreachable = true;
    const asked = Promise.allSettled([meter.decide(call()), meter.decide(call())]);
    await store.finish();
    for (const result of await asked) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
    }
    store.isUnreachable = false;
    const next = meter.decide(call());
    await store.finish();
    expect(await next).toMatchObject({ outcome: "granted", balance: { tokensUsed: 1 } });
  });

  it("fails a request that the store does not decide", async () => {
    const meter = open({ apply: async () => [], findKeys: async () => [] });
    await expect(meter.decide(call())).rejects.toThrow("did not decide");
  });

  it("refuses a key over its limit from memory, and has the refusals counted every second", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const store = new GatedStore();
    const meter = open(store);
    expect(meter.refusedFromMemory("key_1", "lookup")).toBeUndefined();
    const asked = Promise.all(Array.from({ length: 9 }, () => meter.decide(call("key_1", 0))));
    await store.finish();
    expect((await asked).at(-1)?.outcome).toBe("rate");
    for (const operation of ["lookup", "search", "lookup"] as const) {
      expect(meter.refusedFromMemory("key_1", operation)).toMatchObject({ rateRemaining: 0 });
    }
    expect(meter.refusedFromMemory("key_2", "lookup")).toBeUndefined();
    vi.advanceTimersByTime(1_000);
    store.isUnreachable = true;
    await store.finish();
    store.isUnreachable = false;
    vi.advanceTimersByTime(1_000);
    await store.finish();
    const counted = [
      { kind: "refusals", keyId: "key_1", operation: "lookup", count: 2 },
      { kind: "refusals", keyId: "key_1", operation: "search", count: 1 },
    ];
    expect(store.batches.slice(1)).toEqual([counted, counted]);
    vi.advanceTimersByTime(1_000);
    await nextTurn();
    expect(store.batches).toHaveLength(3);
  });

  it("answers everyone and writes the refusals before it closes", async () => {
    const store = new GatedStore();
    const meter = open(store, { maxWaiting: 9 });
    const asked = Promise.all(Array.from({ length: 9 }, () => meter.decide(call("key_1", 0))));
    await store.finish();
    await asked;
    meter.refusedFromMemory("key_1", "lookup");
    const waiting = [meter.decide(call()), meter.decide(call())];
    let isClosed = false;
    const closed = meter.close().then(() => {
      isClosed = true;
    });
    await nextTurn();
    expect(isClosed).toBe(false);
    await store.finish();
    await Promise.all(waiting);
    expect(isClosed).toBe(false);
    await store.finish();
    await closed;
    expect(store.batches.at(-1)).toEqual([
      { kind: "refusals", keyId: "key_1", operation: "lookup", count: 1 },
    ]);
  });
});
