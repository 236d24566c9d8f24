import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { RateLimiter } from "./rateLimiter.ts";

const never = new AbortController().signal;
const forward = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  return () => vi.useRealTimers();
});

describe("a rate of 100 calls per second", () => {
  it("permits 100 calls at once, and each further one a second after the call 100 before it", async () => {
    const limiter = new RateLimiter({ calls: 100, withinMs: 1_000 });
    const begun: number[] = [];
    for (let call = 0; call < 350; call++) void limiter.take(never).then(() => begun.push(performance.now()));
    await forward(0);
    expect(begun.length).toBe(100);
    await forward(999);
    expect(begun.length).toBe(100);
    await forward(1);
    expect(begun.length).toBe(200);
    await forward(2_000);
    expect(begun.length).toBe(350);
    expect(begun.at(-1)).toBe((begun[0] ?? 0) + 3_000);
  });

  it("holds for any second, whenever calls arrive", async () => {
    const calls = fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 7 }), async (pauses, most) => {
        const limiter = new RateLimiter({ calls: most, withinMs: 1_000 });
        const begun: number[] = [];
        for (const pause of pauses) {
          void limiter.take(never).then(() => begun.push(performance.now()));
          await forward(pause);
        }
        await forward(100_000);
        expect(begun.length).toBe(pauses.length);
        for (const [index, at] of begun.entries()) {
          const before = begun[index - most];
          if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(1_000);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("is not used by callers that gave up, and the others keep their order", async () => {
    const limiter = new RateLimiter({ calls: 1, withinMs: 1_000 });
    expect(await limiter.take(never)).toBe(true);
    const impatient = new AbortController();
    const given = Array.from({ length: 50 }, () => limiter.take(impatient.signal));
    const order: string[] = [];
    void limiter.take(never).then(() => order.push("first"));
    void limiter.take(never).then(() => order.push("second"));
    impatient.abort();
    expect(await Promise.all(given)).toEqual(given.map(() => false));
    await forward(1_000);
    expect(order).toEqual(["first"]);
    await forward(1_000);
    expect(order).toEqual(["first", "second"]);
    expect(await limiter.take(AbortSignal.abort())).toBe(false);
  });

  it("holds with the system clock too", async () => {
    vi.useRealTimers();
    const limiter = new RateLimiter({ calls: 2, withinMs: 30 });
    const startedMs = performance.now();
    for (let call = 0; call < 5; call++) expect(await limiter.take(never)).toBe(true);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(60);
  });
});
