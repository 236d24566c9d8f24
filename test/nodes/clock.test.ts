/** Windows and months of several nodes, on a clock that the test sets: renewed on time, and granted once. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, codeOf, inject, numberIn } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { makeWorld } from "../kit/world.ts";

const NODES = 3;
const RATE = 60;
const TOKENS = 50;
const CALLS = 300;
const MINUTE_MS = 60_000;
const MARCH_END = Date.UTC(2026, 3, 1);

let nodes: readonly InProcess[];
beforeAll(async () => {
  const server = await sharedPostgres();
  const world = await makeWorld({
    tiers: {
      rated: { monthlyTokens: 1_000_000, ratePerMinute: RATE },
      measured: { monthlyTokens: TOKENS, ratePerMinute: 1_000_000 },
    },
    environment: { DATABASE_URL: await server.database("clock") },
  });
  nodes = await Promise.all(Array.from({ length: NODES }, () => composeInProcess(world)));
});

/** Replaces the database's clock, which all nodes use. */
function setClocks(nowMs: number): void {
  for (const node of nodes) node.setClock(nowMs);
}

async function account(tier: string) {
  const [node] = nodes;
  if (node === undefined) throw new Error("no node runs");
  return await node.account(tier);
}

const onAll = (key: string): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: CALLS }, (_, index) => {
      const node = nodes[index % NODES];
      if (node === undefined) throw new Error("no node runs");
      return inject(node.app, { path: `/v1/lookup/${BAKERY}`, key });
    }),
  );
const delivered = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200);

describe(`${NODES} nodes on one database`, () => {
  it("let exactly a key's rate through in each minute, and each slot once", async () => {
    const { key } = await account("rated");
    const start = Math.floor(NOON / MINUTE_MS) * MINUTE_MS;
    for (const nowMs of [start, start + MINUTE_MS, start + 3 * MINUTE_MS - 1]) {
      setClocks(nowMs);
      const answers = await onAll(key);
      const left = delivered(answers).map((answer) => numberIn(answer, "x-ratelimit-remaining"));
      expect(left.sort((one, other) => one - other)).toEqual(Array.from({ length: RATE }, (_, n) => n));
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.map(codeOf)).toEqual(Array(CALLS - RATE).fill("RATE_LIMIT_EXCEEDED"));
    }
  });

  it("grant no slot of a minute again when the clock is set back", async () => {
    const { key } = await account("rated");
    setClocks(NOON + MINUTE_MS);
    expect(delivered(await onAll(key))).toHaveLength(RATE);
    setClocks(NOON);
    expect(delivered(await onAll(key))).toEqual([]);
    setClocks(NOON + 2 * MINUTE_MS);
    expect(delivered(await onAll(key))).toHaveLength(RATE);
  });

  it("renew an allowance on the first of the month, all at once, and once", async () => {
    const { key } = await account("measured");
    setClocks(MARCH_END - 1);
    expect(delivered(await onAll(key))).toHaveLength(TOKENS);
    setClocks(MARCH_END);
    expect(delivered(await onAll(key))).toHaveLength(TOKENS);
    setClocks(MARCH_END - 1);
    expect(delivered(await onAll(key))).toEqual([]);
    setClocks(MARCH_END);
    const refused = await onAll(key);
    expect(new Set(refused.map(codeOf))).toEqual(new Set(["QUOTA_EXCEEDED"]));
  });
});
