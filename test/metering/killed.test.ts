/** After `kill -9` the ledger has every charge that a caller saw, and at most the calls in progress in addition. */
import { expect, it } from "vitest";
import { jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY, FERRY, PLAIN, UNKNOWN } from "../kit/companies.ts";
import { type Service, startService } from "../kit/service.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { amount } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const KILLS = amount({ ordinary: 2, thorough: 20 });
const CONNECTIONS = 32;

/** Endless calls of every price, with the maximum cost of each. */
function* calls(key: string): Generator<TestRequest & { readonly price: number }> {
  for (let index = 0; ; index++) {
    yield { path: `/v1/lookup/${FERRY}`, key, price: 1 };
    yield { path: `/v1/lookup/${BAKERY}?enrich=true`, key, price: 5 };
    yield { path: `/v1/lookup/${UNKNOWN}`, key, price: 1 };
    yield {
      method: "POST",
      path: "/v1/lookup/batch",
      key,
      body: { kvkNumbers: PLAIN.slice(index % 50, (index % 50) + 7) },
      price: 7,
    };
  }
}

const priceOf = (request: TestRequest) => ("price" in request ? Number(request.price) : 0);

interface Usage {
  readonly tokens: { readonly used: number };
  readonly operations: readonly { readonly tokens: number }[];
}

async function usageOf(service: Service, key: string): Promise<Usage> {
  return jsonOf(await ask(service, { path: "/v1/usage", key })) as Usage;
}

it(`the ledger is correct over ${KILLS} kills under load on one data folder`, async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  let before = 0;
  let [seenInAll, heldInAll] = [0, 0];
  let service = await startService(world);
  for (let kill = 0; kill < KILLS; kill++) {
    const killAt = 40 + Math.floor((703 * kill) / KILLS);
    const running = service;
    const { answers, unanswered } = await load(running, calls(key), {
      connections: CONNECTIONS,
      onAnswer: (_answer, count) => {
        if (count === killAt) running.program.child.kill("SIGKILL");
        return true;
      },
    });
    await running.program.ended;
    const seen = answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);
    const inProgress = unanswered.reduce((sum, request) => sum + priceOf(request), 0);
    expect(answers.length).toBeGreaterThanOrEqual(killAt);
    expect(unanswered.length).toBe(CONNECTIONS);

    service = await startService(world);
    const { tokens, operations } = await usageOf(service, key);
    expect(operations.reduce((sum, line) => sum + line.tokens, 0)).toBe(tokens.used);
    const counted = tokens.used - before;
    expect(counted).toBeGreaterThanOrEqual(seen);
    expect(counted).toBeLessThanOrEqual(seen + inProgress);
    before = tokens.used;
    seenInAll += seen;
    heldInAll += counted;
  }
  expect(seenInAll).toBeGreaterThan(KILLS * 40);
  expect(heldInAll).toBe(before);
  await expectSoundState(world);
});
