import { describe, expect, it } from "vitest";
import { SlotPool } from "./slotPool.ts";

const LIMITS = { slots: 4, perAccount: 2, perAddress: 3 };

describe("SlotPool", () => {
  it("limits the slots of an account, of an address and in total", () => {
    const pool = new SlotPool(LIMITS);
    const acquired = [
      pool.acquire({ account: "a", address: "1" }),
      pool.acquire({ account: "a", address: "1" }),
      pool.acquire({ account: "a", address: "2" }),
      pool.acquire({ account: "b", address: "1" }),
      pool.acquire({ account: "c", address: "1" }),
      pool.acquire({}),
      pool.acquire({}),
    ].map((slot) => slot !== undefined);
    expect(acquired).toEqual([true, true, false, true, false, true, false]);
    expect(pool.inUse).toBe(LIMITS.slots);
  });

  it("limits the slots of all free tiers together", () => {
    const pool = new SlotPool({ slots: 3, freeTiers: 1 });
    const acquired = [true, true, false, false, false].map(
      (isFree) => pool.acquire({ isFree }) !== undefined,
    );
    expect(acquired).toEqual([true, false, true, true, false]);
  });

  it("releases each slot once", () => {
    const pool = new SlotPool({ slots: 2 });
    const first = pool.acquire({ account: "a" });
    pool.acquire({ account: "a" });
    first?.();
    first?.();
    expect(pool.inUse).toBe(1);
    expect(pool.acquire({ account: "a" })).toBeDefined();
    expect(pool.acquire({ account: "a" })).toBeUndefined();
  });
});
