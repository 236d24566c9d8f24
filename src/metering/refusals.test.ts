import { describe, expect, it } from "vitest";
import { RefusalMemory } from "./refusals.ts";
import type { Balance } from "./store.ts";

const NOW_MS = Date.UTC(2026, 4, 5, 12, 0, 30);

function balance(rateResetSeconds: number): Balance {
  return {
    accountId: "acc_1",
    tierName: "free",
    rateLimit: 10,
    rateRemaining: 0,
    rateResetSeconds,
    tokensLimit: 50,
    tokensUsed: 0,
    tokensRemaining: 50,
    tokensResetSeconds: NOW_MS / 1_000 + 86_400,
    month: 24_316,
    nowMs: NOW_MS,
  };
}

describe("refusals in memory", () => {
  it("are valid for a second, and never beyond their window", () => {
    let nowMs = NOW_MS;
    const memory = new RefusalMemory(() => nowMs);
    memory.remember({ keyId: "long" }, balance(NOW_MS / 1_000 + 30));
    memory.remember({ keyId: "short" }, balance(NOW_MS / 1_000 + 0.4));
    nowMs += 399;
    expect(memory.refuse("short", "lookup")).toBeDefined();
    nowMs += 1;
    expect(memory.refuse("short", "lookup")).toBeUndefined();
    nowMs = NOW_MS + 999;
    expect(memory.refuse("long", "lookup")).toBeDefined();
    nowMs = NOW_MS + 1_000;
    expect(memory.refuse("long", "lookup")).toBeUndefined();
    nowMs = NOW_MS;
    expect(memory.refuse("long", "lookup")).toBeUndefined();
  });

  it("are not valid after the clock was set back, because their age is unknown", () => {
    let nowMs = NOW_MS;
    const memory = new RefusalMemory(() => nowMs);
    memory.remember({ keyId: "key" }, balance(NOW_MS / 1_000 + 30));
    nowMs -= 3_600_000;
    expect(memory.refuse("key", "lookup")).toBeUndefined();
  });

  it("are counted by key and operation, and restored counts add up", () => {
    const memory = new RefusalMemory(() => NOW_MS);
    memory.remember({ keyId: "a" }, balance(NOW_MS / 1_000 + 30));
    for (const operation of ["lookup", "lookup", "search"] as const) memory.refuse("a", operation);
    const counts = memory.takeCounts();
    expect(counts.map(({ operation, count }) => [operation, count])).toEqual([
      ["lookup", 2],
      ["search", 1],
    ]);
    expect(memory.takeCounts()).toEqual([]);
    memory.refuse("a", "search");
    for (const request of counts) memory.count(request);
    expect(memory.takeCounts().reduce((sum, { count }) => sum + count, 0)).toBe(4);
  });

  it("are stored for a limited number of keys; the least recently refused one is dropped", () => {
    const memory = new RefusalMemory(() => NOW_MS);
    for (let index = 0; index <= 10_000; index++)
      memory.remember({ keyId: `key_${index}` }, balance(NOW_MS / 1_000 + 30));
    expect(memory.refuse("key_0", "lookup")).toBeUndefined();
    expect(memory.refuse("key_1", "lookup")).toBeDefined();
    expect(memory.refuse("key_10000", "lookup")).toBeDefined();
  });
});
