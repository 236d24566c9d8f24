/** Windows and months: exact under parallel calls, renewed on time, never granted twice. */

import pino from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import { presentMonth } from "../../src/metering/usage.ts";
import { type Answer, codeOf, inject, jsonOf, numberIn } from "../kit/answer.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const TIERS = {
  "four-a-minute": { monthlyTokens: 1_000, ratePerMinute: 4 },
  "sixty-a-minute": { monthlyTokens: 1_000, ratePerMinute: 60 },
  "ten-tokens": { monthlyTokens: 10, ratePerMinute: 1_000 },
  "twenty-tokens": { monthlyTokens: 20, ratePerMinute: 2_000 },
};
const MINUTE_MS = 60_000;

let world: World;
let service: InProcess;
beforeAll(async () => {
  world = await makeWorld({ tiers: TIERS });
  service = await composeInProcess(world);
});

const look = (key: string, path = `/v1/lookup/${BAKERY}`): Promise<Answer> =>
  inject(service.app, { path, key });
const many = (times: number, key: string): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, () => look(key)));
const delivered = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

describe("the rate window", () => {
  it("is per key and exact under parallel calls; the allowance is per account", async () => {
    service.setClock(NOON);
    const { keys, id } = await service.account("sixty-a-minute", 2);
    const [one, two] = [keys[0]?.key ?? "", keys[1]?.key ?? ""];
    const [ofOne, ofTwo] = await Promise.all([many(150, one), many(100, two)]);
    for (const answers of [ofOne, ofTwo]) {
      expect(delivered(answers)).toBe(60);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map(codeOf))).toEqual(new Set(["RATE_LIMIT_EXCEEDED"]));
      const left = answers
        .filter(({ status }) => status === 200)
        .map((a) => numberIn(a, "x-ratelimit-remaining"));
      expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
    }
    expect((await service.state.ledger.spent(id))?.used).toBe(120);
  });

  it("is the clock minute, and full again in the next one", async () => {
    const start = Math.floor(NOON / MINUTE_MS) * MINUTE_MS;
    const { key } = await service.account("four-a-minute");
    service.setClock(start + MINUTE_MS - 1);
    expect(delivered(await many(6, key))).toBe(4);
    service.setClock(start + MINUTE_MS);
    expect(delivered(await many(6, key))).toBe(4);
    expect(numberIn(await look(key), "x-ratelimit-reset")).toBe(start / 1_000 + 120);
  });

  it("grants no slot twice when the clock is set back by up to five minutes", async () => {
    const { key } = await service.account("four-a-minute");
    service.setClock(NOON + 5 * MINUTE_MS);
    expect(delivered(await many(6, key))).toBe(4);
    for (const back of [4 * MINUTE_MS, 0]) {
      service.setClock(NOON + back);
      expect(delivered(await many(6, key))).toBe(0);
    }
    service.setClock(NOON + 5 * MINUTE_MS + 59_000 - (NOON % MINUTE_MS));
    expect(delivered(await many(6, key))).toBe(0);
    service.setClock(NOON + 6 * MINUTE_MS);
    expect(delivered(await many(6, key))).toBe(4);
  });

  it("locks out no key when the clock was two hours ahead, including one with a cached refusal", async () => {
    const { key } = await service.account("four-a-minute");
    service.setClock(NOON + 120 * MINUTE_MS);
    expect(delivered(await many(6, key))).toBe(4);
    service.setClock(NOON);
    // A refusal is cached for a second by this process's own clock.
    await until("the key is served again", async () => (await look(key)).status === 200);
    const answer = await look(key);
    expect(numberIn(answer, "x-ratelimit-reset")).toBe(Math.floor(NOON / MINUTE_MS) * 60 + 60);
  });

  it("takes a slot for every other response to a valid key", async () => {
    service.setClock(NOON);
    const { key } = await service.account("sixty-a-minute");
    const paths = [`/v1/lookup/${UNKNOWN}`, "/v1/lookup/x", "/v1/nowhere", "/v1/search", "/v1/usage"];
    const left: number[] = [];
    for (const path of paths) left.push(numberIn(await look(key, path), "x-ratelimit-remaining"));
    expect(left).toEqual([59, 58, 57, 56, 55]);
  });
});

describe("the allowance", () => {
  it("is renewed on the first of the month at 00:00:00 UTC, and not a moment before", async () => {
    const { key } = await service.account("ten-tokens");
    const end = Date.UTC(2026, 3, 1);
    service.setClock(end - 1);
    const last = await many(15, key);
    expect(delivered(last)).toBe(10);
    expect(numberIn(last[0] ?? (await look(key)), "x-tokens-reset")).toBe(end / 1_000);
    const refused = await look(key);
    expectError(refused, "QUOTA_EXCEEDED");
    expect(numberIn(refused, "retry-after")).toBe(1);
    service.setClock(end);
    const first = await look(key);
    expect([first.status, numberIn(first, "x-tokens-remaining")]).toEqual([200, 9]);
    expect(numberIn(first, "x-tokens-reset")).toBe(Date.UTC(2026, 4, 1) / 1_000);
    expect(jsonOf(await look(key, "/v1/usage"))).toMatchObject({
      period: { start: "2026-04-01T00:00:00.000Z", end: "2026-05-01T00:00:00.000Z" },
      tokens: { limit: 10, used: 1, remaining: 9 },
    });
  });

  it("grants no token twice when the clock is set back over the first of the month", async () => {
    const { key } = await service.account("ten-tokens");
    service.setClock(Date.UTC(2026, 3, 1));
    expect(delivered(await many(12, key))).toBe(10);
    for (const back of [Date.UTC(2026, 2, 31, 23, 55), Date.UTC(2026, 2, 31, 23, 59), Date.UTC(2026, 3, 1)]) {
      service.setClock(back);
      expectError(await look(key), "QUOTA_EXCEEDED");
    }
    service.setClock(Date.UTC(2026, 4, 1));
    expect(delivered(await many(12, key))).toBe(10);
  });

  it("keeps a month's ledger in that month, even when the clock was set back", async () => {
    const { key, id } = await service.account("ten-tokens");
    service.setClock(Date.UTC(2026, 3, 1));
    await look(key);
    service.setClock(Date.UTC(2026, 2, 31, 23, 58));
    await look(key);
    const lines = await service.state.ledger.lines(id, "2026-03-01", "2026-04-30");
    expect(lines.map(({ day, tokens }) => [day, tokens])).toEqual([["2026-04-01", 2]]);
  });

  it("returns to this month in every view, and is spent once, when a clock forty days ahead is corrected", async () => {
    const { key, id } = await service.account("ten-tokens");
    const usage = async () => jsonOf(await look(key, "/v1/usage"));
    service.setClock(NOON);
    expect(delivered(await many(3, key))).toBe(3);
    service.setClock(NOON + 40 * 86_400_000);
    expect(delivered(await many(12, key))).toBe(10);
    service.setClock(NOON);
    const right = await look(key);
    expect([right.status, numberIn(right, "x-tokens-remaining")]).toEqual([200, 6]);
    expect(numberIn(right, "x-tokens-reset")).toBe(Date.UTC(2026, 3, 1) / 1_000);
    expect(await usage()).toMatchObject({
      period: { start: "2026-03-01T00:00:00.000Z" },
      tokens: { used: 4, remaining: 6 },
      operations: expect.arrayContaining([expect.objectContaining({ operation: "lookup", tokens: 4 })]),
    });
    expect(await presentMonth(service.state.ledger, id, NOON + 40 * 86_400_000)).toMatchObject({
      name: "2026-03",
    });
    expect(delivered(await many(12, key))).toBe(6);
    // April's spending still counts when April comes.
    service.setClock(Date.UTC(2026, 3, 24));
    expectError(await look(key), "QUOTA_EXCEEDED");
    expect(await usage()).toMatchObject({ tokens: { used: 10, remaining: 0 } });
    service.setClock(NOON);
  });

  it("continues into the next year after December", async () => {
    const { key } = await service.account("ten-tokens");
    service.setClock(Date.UTC(2026, 11, 31, 23, 59, 59, 999));
    expect(delivered(await many(12, key))).toBe(10);
    service.setClock(Date.UTC(2027, 0, 1));
    expect(delivered(await many(12, key))).toBe(10);
    service.setClock(NOON);
  });

  it("follows a tier change with the next call, up and down", async () => {
    service.setClock(NOON);
    const { key, id } = await service.account("ten-tokens");
    expect(delivered(await many(12, key))).toBe(10);
    await service.accounts.setTier(id, "twenty-tokens");
    const more = await look(key);
    expect([more.status, numberIn(more, "x-tokens-remaining"), numberIn(more, "x-ratelimit-limit")]).toEqual([
      200, 9, 2_000,
    ]);
    await service.accounts.setTier(id, "ten-tokens");
    const less = await look(key);
    expectError(less, "QUOTA_EXCEEDED");
    expect(numberIn(less, "x-tokens-remaining")).toBe(0);
    expect(jsonOf(await look(key, "/v1/usage"))).toMatchObject({
      tier: "ten-tokens",
      tokens: { limit: 10, used: 11, remaining: 0 },
    });
  });

  it("is not spent by failed calls", async () => {
    const { key, id } = await service.account("ten-tokens");
    for (const path of [
      `/v1/lookup/${UNKNOWN}`,
      `/v1/lookup/${UNKNOWN}?enrich=true`,
      `/v1/lookup/${UNKNOWN}/branches`,
    ]) {
      const answer = await look(key, path);
      expectError(answer, "NOT_FOUND");
      expect(answer.text).toContain(UNKNOWN);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      expect(numberIn(answer, "x-tokens-remaining")).toBe(10);
    }
    expect((await service.state.ledger.spent(id))?.used ?? 0).toBe(0);
  });
});

it("a revoked key is refused at once, and its account's other key still works", async () => {
  const { keys } = await service.account("sixty-a-minute", 2);
  const [one, two] = [keys[0], keys[1]];
  if (one === undefined || two === undefined) throw new Error("the account needs two keys");
  expect((await look(one.key)).status).toBe(200);
  await service.accounts.revokeKey(one.id);
  expectError(await look(one.key), "UNAUTHORIZED");
  expectError(await look(one.key), "UNAUTHORIZED");
  expect((await look(two.key)).status).toBe(200);
});

it("the log reports once that calls are moved back in time, and at a start that the state is ahead of the clock", async () => {
  const lines: string[] = [];
  const logged = (word: string) =>
    lines.map((line) => JSON.parse(line)).filter(({ msg = "" }) => msg.includes(word));
  const log = {
    logger: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    escaped() {},
    flush: async () => {},
    flushSoon: () => {},
  };
  const own = await makeWorld({ tiers: TIERS });
  const before = await composeInProcess(own, { nowMs: NOON + 120 * MINUTE_MS, log });
  const accounts = [await before.account("ten-tokens", 3), await before.account("ten-tokens")];
  const keys = accounts.flatMap((account) => account.keys.map(({ key }) => key));
  const callAll = (app: InProcess["app"]) =>
    Promise.all(keys.map((key) => inject(app, { path: `/v1/lookup/${BAKERY}`, key })));
  await callAll(before.app);
  await before.close();
  expect(logged("clock")).toEqual([]);

  const { app } = await composeInProcess(own, { nowMs: NOON, log });
  const ahead = { keys: 4, accounts: 0, now: "2026-03-15T12:00:10.000Z", latest: "2026-03-15T14:00:00.000Z" };
  expect(logged("the state is ahead of its clock")).toMatchObject([{ level: 40, ...ahead }]);
  expect(delivered([...(await callAll(app)), ...(await callAll(app))])).toBe(8);
  expect(logged("while the clock was ahead")).toMatchObject([{ level: 40, aheadSeconds: 7_190 }]);
});
