/** Windows and months: exact under parallel calls, replaced on time, never handed out twice. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, codeOf, inject, jsonOf, numberIn } from "../support/answer.ts";
import { BAKERY, UNKNOWN } from "../support/companies.ts";
import { expectError } from "../support/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../support/inProcess.ts";
import { makeWorld, type World } from "../support/world.ts";

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
  it("is per key and exact under parallel calls; the allowance is the account's", async () => {
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
    expect((await service.state.spent(id))?.used).toBe(120);
  });

  it("is the clock minute: full again with the next one", async () => {
    const start = Math.floor(NOON / MINUTE_MS) * MINUTE_MS;
    const { key } = await service.account("four-a-minute");
    service.setClock(start + MINUTE_MS - 1);
    expect(delivered(await many(6, key))).toBe(4);
    service.setClock(start + MINUTE_MS);
    expect(delivered(await many(6, key))).toBe(4);
    expect(numberIn(await look(key), "x-ratelimit-reset")).toBe(start / 1_000 + 120);
  });

  it("gives no slot twice when the clock is set back", async () => {
    const { key } = await service.account("four-a-minute");
    service.setClock(NOON + 5 * MINUTE_MS);
    expect(delivered(await many(6, key))).toBe(4);
    for (const back of [4 * MINUTE_MS, 0, -24 * 60 * MINUTE_MS]) {
      service.setClock(NOON + back);
      expect(delivered(await many(6, key))).toBe(0);
    }
    service.setClock(NOON + 5 * MINUTE_MS + 59_000 - (NOON % MINUTE_MS));
    expect(delivered(await many(6, key))).toBe(0);
    service.setClock(NOON + 6 * MINUTE_MS);
    expect(delivered(await many(6, key))).toBe(4);
  });

  it("takes a slot for every other answer to a good key", async () => {
    service.setClock(NOON);
    const { key } = await service.account("sixty-a-minute");
    const paths = [`/v1/lookup/${UNKNOWN}`, "/v1/lookup/x", "/v1/nowhere", "/v1/search", "/v1/usage"];
    const left: number[] = [];
    for (const path of paths) left.push(numberIn(await look(key, path), "x-ratelimit-remaining"));
    expect(left).toEqual([59, 58, 57, 56, 55]);
  });
});

describe("the allowance", () => {
  it("is replaced on the first of the month at 00:00:00 UTC, and not a moment before", async () => {
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

  it("gives no token twice when the clock is set back over the first of the month", async () => {
    const { key } = await service.account("ten-tokens");
    service.setClock(Date.UTC(2026, 3, 1));
    expect(delivered(await many(12, key))).toBe(10);
    for (const back of [Date.UTC(2026, 2, 31, 23, 59), Date.UTC(2025, 11, 31), Date.UTC(2026, 3, 1)]) {
      service.setClock(back);
      expectError(await look(key), "QUOTA_EXCEEDED");
    }
    service.setClock(Date.UTC(2026, 4, 1));
    expect(delivered(await many(12, key))).toBe(10);
  });

  it("keeps the ledger of a month in that month, also when the clock was set back", async () => {
    const { key, id } = await service.account("ten-tokens");
    service.setClock(Date.UTC(2026, 3, 1));
    await look(key);
    service.setClock(Date.UTC(2026, 2, 31));
    await look(key);
    const lines = await service.state.ledger(id, "2026-03-01", "2026-04-30");
    expect(lines.map(({ day, tokens }) => [day, tokens])).toEqual([["2026-04-01", 2]]);
  });

  it("is that of the next year after December", async () => {
    const { key } = await service.account("ten-tokens");
    service.setClock(Date.UTC(2026, 11, 31, 23, 59, 59, 999));
    expect(delivered(await many(12, key))).toBe(10);
    service.setClock(Date.UTC(2027, 0, 1));
    expect(delivered(await many(12, key))).toBe(10);
    service.setClock(NOON);
  });

  it("follows a change of tier with the next call, up and down", async () => {
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

  it("is not spent by what is not delivered", async () => {
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
    expect((await service.state.spent(id))?.used ?? 0).toBe(0);
  });
});

it("refuses a key from the moment that it is revoked, and its account's other key goes on", async () => {
  const { keys } = await service.account("sixty-a-minute", 2);
  const [one, two] = [keys[0], keys[1]];
  if (one === undefined || two === undefined) throw new Error("the account needs two keys");
  expect((await look(one.key)).status).toBe(200);
  await service.accounts.revokeKey(one.id);
  expectError(await look(one.key), "UNAUTHORIZED");
  expectError(await look(one.key), "UNAUTHORIZED");
  expect((await look(two.key)).status).toBe(200);
});
