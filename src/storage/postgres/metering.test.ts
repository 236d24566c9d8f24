import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { balanceOf } from "../../metering/decide.ts";
import type { ChargeRequest, Decision } from "../../metering/store.ts";
import { FastPathBackoff, grantThenDecide } from "./metering.ts";

const CALL: ChargeRequest = { kind: "call", keyId: "key_1", operation: "lookup", price: 1, charge: 1 };
const REVOKED: Decision = { outcome: "revoked" };
const GRANTED: Decision = {
  outcome: "granted",
  charged: 1,
  balance: balanceOf(
    { keyId: "key_1", accountId: "acc_1", isRevoked: false, minute: 0, callsInMinute: 1 },
    { accountId: "acc_1", tierName: "t", isSuspended: false, month: 0, used: 1, reserved: 0 },
    { monthlyTokens: 5, ratePerMinute: 8 },
    0,
  ),
};
const callsOf = (size: number): ChargeRequest[] => Array(size).fill(CALL);

/** The two steps, with the sizes of what they were asked; the first grants what `granted` says, by index. */
function stepsThat(granted: readonly (Decision | undefined)[]) {
  const sizes = { granted: [] as number[], decided: [] as number[] };
  return {
    sizes,
    async grant(requests: readonly ChargeRequest[]) {
      sizes.granted.push(requests.length);
      return granted;
    },
    async decide(requests: readonly ChargeRequest[]): Promise<readonly Decision[]> {
      sizes.decided.push(requests.length);
      return requests.map(() => REVOKED);
    },
  };
}

it("grants first where a batch is worth it, and has a smaller one decided at once", async () => {
  const steps = stepsThat([]);
  for (const size of [1, 2, 3, 4, 5]) await grantThenDecide(callsOf(size), () => {}, steps);
  expect(steps.sizes).toEqual({ granted: [4, 5], decided: [1, 2, 3, 4, 5] });
});

it("decides a batch in one transaction for a caller who cannot be told of some of it early", async () => {
  const steps = stepsThat([]);
  await grantThenDecide(callsOf(9), undefined, steps);
  expect(steps.sizes).toEqual({ granted: [], decided: [9] });
});

it("tells what was granted before the rest is decided, and gives all in their order", async () => {
  const steps = stepsThat([undefined, GRANTED, undefined, GRANTED]);
  const told: unknown[] = [];
  const all = await grantThenDecide(
    callsOf(4),
    (early) => told.push(early, steps.sizes.decided.length),
    steps,
  );
  expect(told).toEqual([[undefined, GRANTED, undefined, GRANTED], 0]);
  expect(all).toEqual([REVOKED, GRANTED, REVOKED, GRANTED]);
  expect(steps.sizes.decided).toEqual([2]);
});

it("decides nothing more when all was granted", async () => {
  const steps = stepsThat(Array(4).fill(REVOKED));
  expect(await grantThenDecide(callsOf(4), () => {}, steps)).toHaveLength(4);
  expect(steps.sizes.decided).toEqual([]);
});

describe("the back-off of the fast path", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("holds an account for 20 ms since it was last left, and no other", () => {
    const backoff = new FastPathBackoff();
    backoff.add("acc_1");
    vi.advanceTimersByTime(10);
    backoff.add("acc_1");
    vi.advanceTimersByTime(19);
    expect([backoff.has("acc_1"), backoff.has("acc_2")]).toEqual([true, false]);
    vi.advanceTimersByTime(1);
    expect(backoff.has("acc_1")).toBe(false);
  });
});
