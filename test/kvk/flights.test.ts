/** Concurrent callers cause as few KVK requests as possible, never above KVK's rate. */
import { expect, it } from "vitest";
import { codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { load } from "../kit/client.ts";
import { batchIn, paidCalls, serveOverKvkHere, unknownNumbers } from "../kit/kvk.ts";
import { thoroughIt } from "../kit/thorough.ts";

it("300 concurrent callers for one unknown number cause one call and get one answer", async () => {
  const { kvk, service, account } = await serveOverKvkHere();
  kvk.setFault("*", { kind: "latency", ms: 300 });
  const calls = Array.from({ length: 300 }, () => ({ path: "/v1/lookup/90000010", key: account.key }));
  const { answers, unanswered } = await load(service, calls, { connections: 300 });
  expect(unanswered).toEqual([]);
  expect(answers.length).toBe(300);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.every((answer) => numberIn(answer, "x-tokens-charged") === 1)).toBe(true);
  expect(kvk.counts.all.requests).toBe(1);
});

thoroughIt("300 concurrent callers for one number unknown to KVK cause one call", async () => {
  const { kvk, service, account } = await serveOverKvkHere();
  kvk.setFault("*", { kind: "latency", ms: 300 });
  const calls = Array.from({ length: 300 }, () => ({ path: "/v1/lookup/70000001", key: account.key }));
  const { answers } = await load(service, calls, { connections: 300 });
  expect(new Set(answers.map(codeOf))).toEqual(new Set(["NOT_FOUND"]));
  expect(kvk.counts.all.requests).toBe(1);
});

it("a batch of 100 unknown numbers runs concurrently, within KVK's rate, and is cached afterwards", async () => {
  const { kvk, batch } = await serveOverKvkHere();
  const numbers = [...kvk.register.all].slice(0, 100).map(({ facts }) => facts.kvkNumber);
  kvk.setFault("*", { kind: "latency", ms: 100 });
  const first = await batch(numbers);
  expect(batchIn(first)).toMatchObject({ failed: [], tokensUsed: 100 });
  expect(batchIn(first).results.map(({ kvkNumber }) => kvkNumber)).toEqual(numbers);
  expect(kvk.counts.all.requests).toBe(100);
  expect(kvk.counts.all.maxInFlight).toBeGreaterThan(20);
  expect(kvk.counts.maxPerSecond).toBeLessThanOrEqual(100);
  const again = await batch(numbers, { enrich: true });
  expect(batchIn(again)).toMatchObject({ failed: [], tokensUsed: 500 });
  expect(kvk.counts.all.requests).toBe(100);
});

it("a batch delivers what it can: a failed number is in failed with its code and costs nothing", async () => {
  const { kvk, batch } = await serveOverKvkHere({ environment: { KVK_BATCH_DEADLINE_MS: "4000" } });
  const sent = ["90000010", "99999995", "99999993", "70000001", "123", "90000020", "90000010"];
  for (const [enrich, price] of [
    [false, 1],
    [true, 5],
  ] as const) {
    const answer = await batch(sent, { enrich });
    const body = batchIn(answer);
    expect(body.results.map(({ kvkNumber }) => kvkNumber)).toEqual(["90000010", "90000020"]);
    expect(body.failed.map(({ kvkNumber, error }) => [kvkNumber, error.code])).toEqual([
      ["99999995", "UPSTREAM_ERROR"],
      ["99999993", "UPSTREAM_ERROR"],
      ["70000001", "NOT_FOUND"],
      ["123", "INVALID_KVK_NUMBER"],
    ]);
    expect(body.tokensUsed).toBe(2 * price);
    expect(numberIn(answer, "x-tokens-charged")).toBe(2 * price);
  }
  kvk.setFault("*", { kind: "reset" });
  const none = batchIn(await batch(unknownNumbers(100, 71_000_000)));
  expect(none.results).toEqual([]);
  expect(none.tokensUsed).toBe(0);
  expect(new Set(none.failed.map(({ error }) => error.code))).toEqual(new Set(["UPSTREAM_ERROR"]));
});

it("a caller that cannot pay the full price is refused before KVK is called", async () => {
  const { kvk, world, get, batch } = await serveOverKvkHere({
    tiers: { poor: { monthlyTokens: 4, ratePerMinute: 1_000 } },
  });
  const { key } = await world.account("poor");
  expect(codeOf(await get("/v1/lookup/90000010/branches", key))).toBe("QUOTA_EXCEEDED");
  expect(codeOf(await get("/v1/lookup/90000010?enrich=true", key))).toBe("QUOTA_EXCEEDED");
  expect(codeOf(await batch(unknownNumbers(5), {}, key))).toBe("QUOTA_EXCEEDED");
  expect(paidCalls(kvk)).toBe(0);
  const answer = await get("/v1/lookup/90000010", key);
  expect(answer.status).toBe(200);
  const usage = jsonOf(await get("/v1/usage", key)) as { tokens: { used: number } };
  expect(usage.tokens.used).toBe(1);
});
