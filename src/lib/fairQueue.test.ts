import { describe, expect, it } from "vitest";
import { FairQueue, type Waiter } from "./fairQueue.ts";

const queueWith = (limits = { slots: 20, perAddress: 5, perAccount: 5 }) =>
  new FairQueue({ concurrency: 1, limits, maxWaitMs: 60_000 });

/** Acquires a turn for each waiter at once and returns their numbers in the order of their turns. */
async function orderOf(queue: FairQueue, waiters: readonly Waiter[]): Promise<(number | "refused")[]> {
  const order: (number | "refused")[] = [];
  await Promise.all(
    waiters.map(async (waiter, nth) => {
      const end = await queue.acquire(waiter);
      order.push(end === undefined ? "refused" : nth);
      await new Promise(setImmediate);
      end?.();
    }),
  );
  return order;
}

describe("FairQueue", () => {
  it("gives an owner without a turn precedence over owners that have one", async () => {
    const many = Array.from({ length: 4 }, () => ({ address: "1" }));
    expect(await orderOf(queueWith(), [...many, { address: "2" }, { address: "3" }])).toEqual([
      0, 4, 5, 1, 2, 3,
    ]);
    const ofOneAccount = Array.from({ length: 4 }, (_, nth) => ({ account: "a", address: String(nth) }));
    expect(await orderOf(queueWith(), [...ofOneAccount, { account: "b", address: "9" }])).toEqual([
      0, 4, 1, 2, 3,
    ]);
  });

  it("refuses at once beyond the limit of an account or an address", async () => {
    const order = await orderOf(queueWith({ slots: 20, perAddress: 2, perAccount: 1 }), [
      { address: "1" },
      { address: "1" },
      { address: "1" },
      { account: "a" },
      { account: "a" },
      { address: "2" },
    ]);
    expect(order.filter((one) => one === "refused")).toHaveLength(2);
    expect(order).toEqual(expect.arrayContaining([0, 1, 3, 5]));
  });

  it("releases the slot when a turn ends, a wait is aborted or takes too long", async () => {
    const queue = new FairQueue({ concurrency: 1, limits: { slots: 2 }, maxWaitMs: 1 });
    const first = await queue.acquire();
    expect(await queue.acquire()).toBeUndefined();
    const disconnected = new AbortController();
    const waiting = queue.acquire({ signal: disconnected.signal });
    disconnected.abort();
    expect(await waiting).toBeUndefined();
    first?.();
    first?.();
    const again = [queue.acquire(), queue.acquire()];
    (await again[0])?.();
    expect(await again[1]).toBeDefined();
  });
});
