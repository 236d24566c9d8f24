/** Concurrent callers cause one query to VIES, and get one answer and one charge each, and never exceed the tokens. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { ViesSimulator } from "../../src/demo/vies/server.ts";
import { type Answer, codeOf, jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { type Service, startService } from "../kit/service.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { validationOf, verdictIn } from "../kit/vat.ts";
import { fictionalRsins, queriedNumbers, REGISTERED, requestsFor, startVies } from "../kit/vies.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";

const CALLERS = 300;
const NUMBERS = 200;
const PER_STATE = 6;
const K = 37;

let vies: ViesSimulator;
let world: World;
let service: Service;
beforeAll(async () => {
  vies = await startVies({ companyOf: () => REGISTERED });
  world = await makeWorld({
    companies: [],
    tiers: { "has-k": { ...PLENTY, monthlyTokens: K } },
    environment: {
      VIES_URL: vies.url,
      VIES_PER_STATE: String(PER_STATE),
      // Nothing here should time out, however slow the machine is.
      VIES_DEADLINE_MS: "30000",
    },
  });
  await awayFromMonthEnd();
  service = await startService(world);
});
beforeEach(() => vies.clearFaults());

const numbers = fictionalRsins(5 * NUMBERS).map((rsin) => `NL${rsin}B01`);
/** Numbers unused by earlier tests. */
const others = (count: number): readonly string[] => numbers.splice(0, count);
const callsFor = (numbersToCheck: readonly string[], key: string): TestRequest[] =>
  numbersToCheck.map((number) => ({ path: validationOf(number), key }));

/** The figures of `/v1/usage`: used, and neither used nor reserved. */
async function tokensOf(key: string): Promise<{ used: number; remaining: number }> {
  const answer: Answer = await ask(service, { path: "/v1/usage", key });
  const { tokens } = jsonOf(answer) as { tokens: { used: number } };
  return { used: tokens.used, remaining: numberIn(answer, "x-tokens-remaining") };
}

/** Waits until that many calls of price 1 are at VIES or queued for it. */
async function untilReserved(key: string, count: number): Promise<void> {
  const limit = PLENTY.monthlyTokens;
  await until(`${count} calls have reserved`, async () => (await tokensOf(key)).remaining === limit - count);
}

function reservationsLeft(): unknown {
  const state = new DatabaseSync(join(world.dataDir, "state.sqlite"), { readOnly: true });
  const row = state.prepare("select count(*) as held from reservations").get();
  state.close();
  return row?.["held"];
}

const chargedIn = (answers: readonly Answer[]) =>
  answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);

it(`${CALLERS} callers for one number cause one query to VIES, ${CALLERS} responses and ${CALLERS} tokens`, async () => {
  const { key } = await world.account("plenty");
  const [number = ""] = others(1);
  vies.setFault("NL", { kind: "hang" });
  const loaded = load(service, callsFor(Array<string>(CALLERS).fill(number), key), { connections: CALLERS });
  await untilReserved(key, CALLERS);
  vies.clearFaults();
  const { answers, unanswered } = await loaded;
  expect([answers.length, unanswered.length]).toEqual([CALLERS, 0]);
  const bodies = new Set(answers.map(({ text }) => text));
  expect(bodies.size).toBe(1);
  expect(answers.map(verdictIn)[0]).toMatchObject({ vatNumber: number, valid: true, status: "validated" });
  expect(new Set(answers.map((answer) => numberIn(answer, "x-tokens-charged")))).toEqual(new Set([1]));
  expect(requestsFor(vies, number)).toBe(1);
  expect(await tokensOf(key)).toEqual({ used: CALLERS, remaining: PLENTY.monthlyTokens - CALLERS });
  const usage = jsonOf(await ask(service, { path: "/v1/usage", key }));
  expect(usage).toMatchObject({
    operations: expect.arrayContaining([
      { operation: "validate", requests: CALLERS, tokens: CALLERS, refusals: 0 },
    ]),
  });
  expect(reservationsLeft()).toBe(0);
});

it(`${NUMBERS} numbers of a state are queried ${PER_STATE} at a time, and delay no other state`, async () => {
  const { key } = await world.account("plenty");
  const numbersOfState = others(NUMBERS);
  const before = queriedNumbers(vies).length;
  vies.setFault("NL", { kind: "hang" });
  const loaded = load(service, callsFor(numbersOfState, key), { connections: NUMBERS });
  await untilReserved(key, NUMBERS);
  await until("the maximum is at VIES", () => vies.counts.states.NL?.inFlight === PER_STATE);
  expect(verdictIn(await ask(service, { path: validationOf("PL8567346215"), key })).status).toBe("validated");
  vies.clearFaults();
  const { answers } = await loaded;
  expect(answers.map((answer) => verdictIn(answer).vatNumber).sort()).toEqual([...numbersOfState].sort());
  expect(vies.counts.states.NL).toMatchObject({ inFlight: 0, maxInFlight: PER_STATE });
  expect(queriedNumbers(vies).length - before).toBe(NUMBERS + 1);
  expect((await tokensOf(key)).used).toBe(NUMBERS + 1);
  expect(reservationsLeft()).toBe(0);
});

it(`exactly ${K} calls with ${K} tokens left go to a slow VIES and are delivered, the others refused at once`, async () => {
  const { key } = await world.account("has-k");
  const numbersOfState = others(NUMBERS);
  vies.setFault("NL", { kind: "hang" });
  let refused = 0;
  const loaded = load(service, callsFor(numbersOfState, key), {
    connections: NUMBERS,
    onAnswer: (answer) => {
      if (codeOf(answer) === "QUOTA_EXCEEDED") refused += 1;
      return true;
    },
  });
  await until("all but the covered calls are refused", () => refused === NUMBERS - K);
  expect(await tokensOf(key)).toEqual({ used: 0, remaining: 0 });
  vies.clearFaults();
  const { answers } = await loaded;
  const delivered = answers.filter(({ status }) => status === 200);
  expect([delivered.length, chargedIn(delivered), chargedIn(answers)]).toEqual([K, K, K]);
  expect(await tokensOf(key)).toEqual({ used: K, remaining: 0 });
  expect(reservationsLeft()).toBe(0);
});

it("tokens for queries that VIES does not answer are released, and can be spent to the last one", async () => {
  const { key } = await world.account("has-k");
  const [known, silent] = [others(NUMBERS / 2), others(NUMBERS / 2)];
  const polish = silent.map((number) => `PL${number.slice(2, 11)}0`);
  vies.setFault("PL", { kind: "code", code: "VAT_BLOCKED" });
  vies.setFault("NL", { kind: "latency", ms: 20 });
  const mixed = known.flatMap((number, index) => [polish[index] ?? "", number]);
  const { answers } = await load(service, callsFor(mixed, key), { connections: 50 });
  const outcomes = new Map<number, number>();
  for (const { status } of answers) outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
  expect([...outcomes.keys()].filter((status) => ![200, 502, 429].includes(status))).toEqual([]);
  expect(outcomes.get(502)).toBeGreaterThan(0);
  const delivered = answers.filter(({ status }) => status === 200).length;
  expect(delivered).toBeLessThanOrEqual(K);
  expect(chargedIn(answers)).toBe(delivered);
  expect(await tokensOf(key)).toEqual({ used: delivered, remaining: K - delivered });

  const rest = await load(service, callsFor(known, key), { connections: 50 });
  expect(delivered + chargedIn(rest.answers)).toBe(K);
  expect(await tokensOf(key)).toEqual({ used: K, remaining: 0 });
  expect(reservationsLeft()).toBe(0);
});

it("a query without an answer costs nothing, however many callers wait for it", async () => {
  const { key } = await world.account("plenty");
  vies.setFault("NL", { kind: "code", code: "VAT_BLOCKED" });
  const { answers } = await load(service, callsFor(others(NUMBERS), key), { connections: 64 });
  expect(new Set(answers.map(codeOf))).toEqual(new Set(["UPSTREAM_ERROR"]));
  expect(chargedIn(answers)).toBe(0);
  expect(await tokensOf(key)).toEqual({ used: 0, remaining: PLENTY.monthlyTokens });
  expect(reservationsLeft()).toBe(0);
});
