import { expect, it } from "vitest";
import { TurnQueue, type TurnTaker } from "./turns.ts";

const queue = (places = { places: 20, perAddress: 5, perAccount: 5 }) =>
  new TurnQueue({ atOnce: 1, places, maxWaitMs: 60_000 });

/** Takes a turn for each; gives the order in which they came, by number, when all have ended. */
async function orderOf(turns: TurnQueue, takers: readonly TurnTaker[]): Promise<(number | "refused")[]> {
  const order: (number | "refused")[] = [];
  await Promise.all(
    takers.map(async (taker, nth) => {
      const end = await turns.take(taker);
      order.push(end === undefined ? "refused" : nth);
      await new Promise(setImmediate);
      end?.();
    }),
  );
  return order;
}

it("come first to those who have had none, whoever else waits", async () => {
  const many = Array.from({ length: 4 }, () => ({ address: "1" }));
  expect(await orderOf(queue(), [...many, { address: "2" }, { address: "3" }])).toEqual([0, 4, 5, 1, 2, 3]);
  const ofOneAccount = Array.from({ length: 4 }, (_, nth) => ({ account: "a", address: String(nth) }));
  expect(await orderOf(queue(), [...ofOneAccount, { account: "b", address: "9" }])).toEqual([0, 4, 1, 2, 3]);
});

it("beyond the share of an account or an address there is none, at once", async () => {
  const order = await orderOf(queue({ places: 20, perAddress: 2, perAccount: 1 }), [
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

it("leave their place when they end, give up or go", async () => {
  const turns = new TurnQueue({ atOnce: 1, places: { places: 2 }, maxWaitMs: 1 });
  const first = await turns.take();
  expect(await turns.take()).toBeUndefined();
  const gone = new AbortController();
  const waiting = turns.take({ gone: gone.signal });
  gone.abort();
  expect(await waiting).toBeUndefined();
  first?.();
  first?.();
  const again = [turns.take(), turns.take()];
  (await again[0])?.();
  expect(await again[1]).toBeDefined();
});
