/** A call, its slot and its tokens while VIES is slow. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { expectBalance, expectError } from "../kit/contractAnswer.ts";
import { startService } from "../kit/service.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { composeOverVies, validationOf, verdictIn } from "../kit/vat.ts";
import { REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld } from "../kit/world.ts";

const NUMBER = "NL123456782B90";
const LAST_SECOND = Date.UTC(2026, 2, 31, 23, 59, 59);
const vies = { companyOf: () => REGISTERED };
const environment = { VIES_DEADLINE_MS: "30000" };

/** A service in its own process with a simulated VIES, and a key. */
async function serviceOverVies() {
  const simulator = await startVies(vies);
  const world = await makeWorld({
    companies: [],
    environment: { VIES_URL: simulator.url, ...environment },
  });
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const service = await startService(world);
  return { simulator, world, key, service };
}

it.concurrent("a slow call takes one slot of the rate window, and its token from the month in which it began", async () => {
  const tiers = { small: { monthlyTokens: 10, ratePerMinute: 5 } };
  const over = await composeOverVies({ tiers, vies, environment });
  const { key } = await over.service.account("small");
  over.service.setClock(LAST_SECOND);
  over.vies.setFault("NL", { kind: "hang" });
  const answer = over.validate(NUMBER, key);
  await until("VIES is queried", () => over.vies.counts.all.inFlight === 1);
  const meanwhile = await over.validate("NL123456789B01", key);
  expect([numberIn(meanwhile, "x-tokens-remaining"), numberIn(meanwhile, "x-ratelimit-remaining")]).toEqual([
    8, 3,
  ]);
  over.service.setClock(LAST_SECOND + 2_000);
  over.vies.clearFaults();
  const response = await answer;
  expectBalance(response);
  expect(numberIn(response, "x-tokens-charged")).toBe(1);
  // The new month has no charge.
  expect(numberIn(response, "x-tokens-remaining")).toBe(10);
  expect(numberIn(await over.validate(NUMBER, key), "x-tokens-remaining")).toBe(9);
});

it.concurrent("a slow call is served and charged when its key is revoked meanwhile, and is the last of that key", async () => {
  const over = await composeOverVies({ vies, environment });
  const { id, key, keys } = await over.service.account("plenty");
  over.vies.setFault("NL", { kind: "hang" });
  const answer = over.validate(NUMBER, key);
  await until("VIES is queried", () => over.vies.counts.all.inFlight === 1);
  await over.service.accounts.revokeKey(keys[0]?.id ?? "");
  over.vies.clearFaults();
  const last = await answer;
  expect(verdictIn(last).status).toBe("validated");
  expect(numberIn(last, "x-tokens-charged")).toBe(1);
  expect((await over.service.state.ledger.spent(id))?.used).toBe(1);
  await until("the key is refused", async () => (await over.validate(NUMBER, key)).status === 401);
});

it.concurrent("a slow call gets its response when the service is stopped", async () => {
  const { simulator, world, key, service } = await serviceOverVies();
  simulator.setFault("NL", { kind: "hang" });
  const answer = ask(service, { path: validationOf(NUMBER), key });
  await until("VIES is queried", () => simulator.counts.all.inFlight === 1);
  const ended = service.end("SIGTERM");
  simulator.clearFaults();
  expect(verdictIn(await answer)).toMatchObject({ status: "validated", valid: true });
  expect(await ended).toBe(0);
  const again = await startService(world);
  await simulator.stop();
  expect(verdictIn(await ask(again, { path: validationOf(NUMBER), key })).status).toBe("validated");
  expect(jsonOf(await ask(again, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 2 } });
});

thoroughIt("a slow call gets the cached verdict if VIES is silent until the service must stop", async () => {
  const { simulator, world, key, service } = await serviceOverVies();
  const send = (numberAndQuery: string) => ask(service, { path: validationOf(numberAndQuery), key });
  const cachedVerdict = verdictIn(await send(NUMBER));
  simulator.setFault("NL", { kind: "hang" });
  const answers = [send(`${NUMBER}?maxAge=0`), send("NL000099998B57")] as const;
  await until("VIES is queried", () => simulator.counts.all.inFlight === 2);
  const ended = service.end("SIGTERM");
  expect(verdictIn(await answers[0])).toEqual({
    ...cachedVerdict,
    status: "stale",
    ageSeconds: expect.any(Number),
  });
  expectError(await answers[1], "UPSTREAM_ERROR");
  expect(await ended).toBe(0);
  const again = await startService(world);
  expect(jsonOf(await ask(again, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 2 } });
});

it.concurrent("a slow call delivers nothing if it cannot be stored, and recovers with the store", async () => {
  const { simulator, world, key, service } = await serviceOverVies();
  simulator.setFault("NL", { kind: "hang" });
  const answer = ask(service, { path: validationOf(NUMBER), key });
  await until("VIES is queried", () => simulator.counts.all.inFlight === 1);
  const holder = new DatabaseSync(join(world.dataDir, "state.sqlite"));
  holder.exec("begin immediate");
  simulator.clearFaults();
  expectError(await answer, "SERVICE_UNAVAILABLE");
  holder.exec("rollback");
  holder.close();
  await until("the service can store and count again", async () => {
    const later = await ask(service, { path: validationOf(NUMBER), key });
    return later.status === 200 && verdictIn(later).status === "validated";
  });
  expect(jsonOf(await ask(service, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 1 } });
});
