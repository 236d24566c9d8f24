import { expect, it } from "vitest";
import { SharedAmount } from "./sharedAmount.ts";

it("gives each account at most half of what the others leave, and at most its share", () => {
  const shared = new SharedAmount(100, 40);
  const largest = (account: string) => {
    let amount = 0;
    while (shared.hasRoom(account, amount + 1)) amount += 1;
    return amount;
  };
  const taken = ["a", "b", "c", "d"].map((account) => {
    const amount = largest(account);
    shared.hold(account, amount);
    return amount;
  });
  expect(taken).toEqual([40, 30, 15, 7]);
  expect(largest("a")).toBe(0);
  shared.hold("b", -30);
  expect([largest("b"), largest("e")]).toEqual([19, 19]);
  shared.hold("a", -10);
  expect(largest("a")).toBe(9);
});
