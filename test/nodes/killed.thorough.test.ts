/**
 * After `kill -9` of a node the shared ledger has every charge that a caller saw, and at most the calls in progress in
 * addition.
 */
import { expect, it } from "vitest";
import type { TestRequest } from "../kit/answer.ts";
import { chargedIn, expectRefusedForNothing } from "../kit/busyDatabase.ts";
import { load } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { amount } from "../kit/thorough.ts";
import { CONNECTIONS, startNodes } from "./nodes.ts";

const KILLS = amount({ ordinary: 1, thorough: 20 });
/** Connections to each surviving node; few, so that the node to be killed has work. */
const SURVIVOR_CONNECTIONS = 4;
/** Several, so that batches of different accounts are killed while they run side by side. */
const ACCOUNTS = 6;
const PRICED = [
  { path: `/v1/lookup/${BAKERY}`, price: 1 },
  { path: `/v1/lookup/${BAKERY}/branches`, price: 5 },
  { path: `/v1/lookup/${BAKERY}?enrich=true`, price: 5 },
] as const;

const priceOf = (request: TestRequest) => PRICED.find(({ path }) => path === request.path)?.price ?? 0;

it(`the ledger is correct over ${KILLS} kills under load, and the remaining nodes still answer`, async () => {
  const nodes = await startNodes();
  const keys: string[] = [];
  while (keys.length < ACCOUNTS) keys.push((await nodes.world.account("plenty")).key);
  const usedByAll = async () => {
    const used = await Promise.all(keys.map((key) => nodes.used(key)));
    return used.reduce((sum, tokens) => sum + tokens, 0);
  };
  function* calls(isOver: () => boolean): Generator<TestRequest> {
    for (let index = 0; !isOver(); index++) {
      const key = keys[index % ACCOUNTS] ?? "";
      yield { path: PRICED[Math.floor(index / ACCOUNTS) % PRICED.length]?.path ?? "", key };
    }
  }
  let before = 0;
  for (let killed = 0; killed < KILLS; killed++) {
    const victim = await nodes.start();
    let isOver = false;
    const survivors = nodes.load(() => calls(() => isOver), { connections: SURVIVOR_CONNECTIONS });
    const killAt = 20 + Math.floor((133 * killed) / KILLS);
    const { answers, unanswered } = await load(
      victim,
      calls(() => false),
      {
        connections: CONNECTIONS,
        onAnswer: (_, count) => {
          if (count === killAt) victim.program.child.kill("SIGKILL");
          return true;
        },
      },
    );
    isOver = true;
    const all = [...answers, ...(await survivors)];
    expectRefusedForNothing(all);
    await victim.program.ended;
    expect(unanswered.length).toBe(CONNECTIONS);
    const seen = chargedIn(all);
    const inProgress = unanswered.reduce((sum, request) => sum + priceOf(request), 0);
    const used = await usedByAll();
    expect(used - before).toBeGreaterThanOrEqual(seen);
    expect(used - before).toBeLessThanOrEqual(seen + inProgress);
    before = used;
  }
  expect(before).toBeGreaterThan(KILLS * 20);
  await expectSoundState(nodes.world);
});
