/** A batch stays within the rate of its key: a request that would be refused is delayed instead. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadline } from "../../client/src/deadline.ts";
import { Opzoek, TimeoutError } from "../../client/src/index.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

const KEY = "opz_live_not_a_real_one";
const MINUTE_MS = 60_000;
const MINUTE_END_MS = Math.ceil(NOON / MINUTE_MS) * MINUTE_MS;
const PER_MINUTE = 2;
/** Callers with the same reset time are spread over this long. */
const SPREAD_MS = 1_000;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(50_000_000 + at));

afterEach(() => {
  vi.useRealTimers();
});

describe("on a clock that the test sets", () => {
  const STEP_MS = 100;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOON });
  });

  /**
   * Responds as a service whose clock is `aheadMs` ahead of the caller's; returns the request times and the statuses.
   */
  function serviceOf(aheadMs: number) {
    const windows = new Map<number, number>();
    const calls: { readonly atMs: number; readonly status: number }[] = [];
    const answer = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
      const nowMs = Date.now() + aheadMs;
      const end = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
      const used = (windows.get(end) ?? 0) + 1;
      windows.set(end, used);
      const status = used > PER_MINUTE ? 429 : 200;
      calls.push({ atMs: Date.now(), status });
      const { kvkNumbers } = JSON.parse(String(init.body)) as { kvkNumbers: readonly string[] };
      const results = kvkNumbers.map((kvkNumber) => ({ kvkNumber }));
      const body =
        status === 200
          ? { results, failed: [], tokensUsed: results.length }
          : { error: { code: "RATE_LIMIT_EXCEEDED", message: "wait" } };
      return Response.json(body, {
        status,
        headers: {
          "x-ratelimit-limit": `${PER_MINUTE}`,
          "x-ratelimit-remaining": `${Math.max(0, PER_MINUTE - used)}`,
          "x-ratelimit-reset": `${end / 1_000}`,
          ...(status === 429 && { "retry-after": `${Math.ceil((end - nowMs) / 1_000)}` }),
        },
      });
    };
    return { calls, answer };
  }

  async function batchOver(service: ReturnType<typeof serviceOf>, count: number) {
    const opzoek = new Opzoek({ baseUrl: "https://opzoek.example", key: KEY, fetch: service.answer });
    let isOver = false;
    const batch = opzoek.batch(numbers(count)).finally(() => {
      isOver = true;
    });
    while (!isOver) await vi.advanceTimersByTimeAsync(STEP_MS);
    return batch;
  }

  it("the third hundred at two requests a minute waits for the next minute, and none is refused", async () => {
    const service = serviceOf(0);
    const { results, tokensUsed } = await batchOver(service, 500);
    expect([results.length, tokensUsed]).toEqual([500, 500]);
    expect(service.calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const [at, end] of [
      [2, MINUTE_END_MS],
      [4, MINUTE_END_MS + MINUTE_MS],
    ] as const) {
      const { atMs = 0 } = service.calls[at] ?? {};
      expect(atMs).toBeGreaterThanOrEqual(end);
      expect(atMs).toBeLessThanOrEqual(end + SPREAD_MS + STEP_MS);
    }
  });

  it("no wait is longer than a minute if the caller's clock is ten minutes slow", async () => {
    const service = serviceOf(10 * MINUTE_MS);
    await batchOver(service, 300);
    const [, second, third] = service.calls.map(({ atMs }) => atMs);
    const waitedMs = (third ?? 0) - (second ?? 0);
    expect(waitedMs).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(waitedMs).toBeLessThanOrEqual(MINUTE_MS + SPREAD_MS + STEP_MS);
  });

  it("the service's own delay is used if the caller's clock is fast", async () => {
    const service = serviceOf(-10 * MINUTE_MS);
    const { results } = await batchOver(service, 300);
    expect(results).toHaveLength(300);
    expect(service.calls.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    const [, , refused, next] = service.calls;
    expect((next?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(MINUTE_END_MS - NOON);
  });
});

it("three hundred numbers of a key with two calls a minute are all returned by the service, and none is refused", async () => {
  /** Time left in the service's minute: the real wait of the third hundred. */
  const LEFT_MS = 400;
  const beganMs = MINUTE_END_MS - LEFT_MS;
  const tiers = { slow: { monthlyTokens: 1_000, ratePerMinute: PER_MINUTE } };
  const service = await composeInProcess(await makeWorld({ tiers }), { nowMs: beganMs });
  const address = await service.app.listen({ host: "127.0.0.1", port: 0 });
  const { key } = await service.account("slow");
  vi.useFakeTimers({ toFake: ["Date"], now: beganMs });
  const statuses: number[] = [];
  let secondAtMs: number | undefined;
  const opzoek = new Opzoek({
    baseUrl: address,
    key,
    onAnswer: ({ status }) => {
      statuses.push(status);
      if (statuses.length === PER_MINUTE) secondAtMs = performance.now();
    },
    // Both clocks stand still until the second hundred is answered, and then advance by the time waited.
    fetch: (url, init) => {
      const waitedMs = secondAtMs === undefined ? 0 : Math.ceil(performance.now() - secondAtMs) + 1;
      service.setClock(beganMs + waitedMs);
      return fetch(url, init);
    },
  });
  const { results, failed, tokensUsed } = await opzoek.batch(numbers(300));
  expect(statuses).toEqual([200, 200, 200]);
  expect([results.length + failed.length, tokensUsed]).toEqual([300, results.length]);
});

it("a deadline of weeks, as for a list that waits for next month's tokens, does not expire early", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  const dayMs = 86_400_000;
  const deadline = new Deadline(60 * dayMs, undefined);
  vi.advanceTimersByTime(59 * dayMs);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(dayMs);
  expect(deadline.signal.reason).toBeInstanceOf(TimeoutError);
  expect(vi.getTimerCount()).toBe(0);
  const left = new Deadline(60 * dayMs, undefined);
  vi.advanceTimersByTime(59 * dayMs);
  left.close();
  expect(vi.getTimerCount()).toBe(0);
});
