/** Exactly k tokens are delivered with k tokens left, however many calls are concurrent. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, codeOf, jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { type Service, startService } from "../kit/service.ts";
import { amount, variants } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";

const CALLS = amount({ ordinary: 500, thorough: 2_000 });
const CONNECTIONS = 64;
const LEFT = [777, 1, 0];

let world: World;
let service: Service;
beforeAll(async () => {
  const tiers = LEFT.map((k) => [`has-${k}`, { ...PLENTY, monthlyTokens: k }] as const);
  world = await makeWorld({ tiers: Object.fromEntries(tiers) });
  await awayFromMonthEnd();
  service = await startService(world);
});

const basic = `/v1/lookup/${BAKERY}`;
const enriched = `${basic}?enrich=true`;

/** Sends the calls and checks the charge of each response. @returns the total charge */
async function spend(paths: readonly string[], key: string): Promise<number> {
  const calls: TestRequest[] = Array.from({ length: CALLS }, (_, index) => ({
    path: paths[index % paths.length] ?? basic,
    key,
  }));
  const { answers, unanswered } = await load(service, calls, { connections: CONNECTIONS });
  expect([answers.length, unanswered.length]).toEqual([CALLS, 0]);
  for (const answer of answers) {
    if (answer.status === 200) expect([1, 5]).toContain(numberIn(answer, "x-tokens-charged"));
    else expect([codeOf(answer), answer.headers["x-tokens-charged"]]).toEqual(["QUOTA_EXCEEDED", "0"]);
  }
  return answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);
}

async function used(key: string): Promise<unknown> {
  const usage: Answer = await ask(service, { path: "/v1/usage", key });
  return jsonOf(usage);
}

describe.each(variants(LEFT, { ordinary: 1 }))("with %i tokens left", (k) => {
  it("exactly that many calls of price 1 are delivered, over two keys of the account", async () => {
    const { keys } = await world.account(`has-${k}`, 2);
    const [one, two] = [keys[0]?.key ?? "", keys[1]?.key ?? ""];
    const charged = await Promise.all([spend([basic], one), spend([basic], two)]);
    expect(charged[0] + charged[1]).toBe(k);
    expect(await used(one)).toMatchObject({ tokens: { limit: k, used: k, remaining: 0 } });
  });

  it("mixed prices never overspend, and the rest is spent by price 1 to the last token", async () => {
    const { key } = await world.account(`has-${k}`);
    const mixed = await spend([enriched, basic, enriched, enriched], key);
    expect(mixed).toBeLessThanOrEqual(k);
    expect(await used(key)).toMatchObject({ tokens: { used: mixed, remaining: k - mixed } });
    const rest = await spend([basic], key);
    expect(mixed + rest).toBe(k);
    expect(await used(key)).toMatchObject({ tokens: { used: k, remaining: 0 } });
  });
});
