/**
 * An outage of a dependency while a list runs: the list resumes later, reports no invented results, and charges nothing
 * for the outage.
 */
import { Client } from "pg";
import { expect, it } from "vitest";
import { listen } from "../../src/http/server.ts";
import { afterFile } from "../kit/afterFile.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { startDatabaseProxy } from "../kit/databaseProxy.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { startKvk, unknownNumbers } from "../kit/kvk.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { fictionalRsins, REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld, type WorldOptions } from "../kit/world.ts";
import { begun, completed, type Line, list, listWhen, results } from "./lists.ts";

/** Short delays, and so many that the list does not give up on a number. */
const MANY_RETRIES = Array.from({ length: 500 }, () => 300);

/** A service in this process, and an account. */
async function serving(options: WorldOptions, tryAgainAfterMs: readonly number[] = MANY_RETRIES) {
  const world = await makeWorld(options);
  const inside = await composeInProcess(world, {
    nowMs: Date.now(),
    listOptions: { tryAgainAfterMs, pollEveryMs: 50 },
  });
  // Retries need a running clock.
  const ticking = setInterval(() => inside.setClock(Date.now()), 20);
  afterFile(() => clearInterval(ticking));
  const url = await listen(inside.app, "127.0.0.1", 0);
  const { key } = await inside.account("plenty");
  return { service: { port: Number(new URL(url).port) }, key };
}

const sorted = (lines: readonly Line[]) => lines.map(({ number }) => number).toSorted();

thoroughIt("VIES goes down: the list reports its verdicts once VIES is back", async () => {
  const numbers = fictionalRsins(120).map((rsin) => `NL${rsin}B01`);
  let requestCount = 0;
  const vies = await startVies({
    companyOf: () => {
      requestCount += 1;
      if (requestCount === 50) vies.setFault("*", { kind: "code", code: "MS_UNAVAILABLE" });
      return REGISTERED;
    },
  });
  const { service, key } = await serving({ environment: { VIES_URL: vies.url } });
  const { id } = await begun(service, key, numbers, "kind=vat");
  await until("VIES is down", () => requestCount >= 50);
  await until("VIES is queried without success", () => vies.log.some(({ fault }) => fault === "code"));
  const waiting = await listWhen(service, key, id, ({ counts }) => counts.done >= 40);
  expect(waiting.status).toBe("running");
  const before = await results(service, key, id);
  expect(before.length).toBeLessThan(numbers.length);
  expect(before.filter(({ result }) => result?.["valid"] !== true)).toEqual([]);
  expect(await usedTokens(service, key)).toBeLessThanOrEqual(requestCount);
  vies.clearFaults();
  const ended = await completed(service, key, id);
  expect(ended).toMatchObject({ counts: { done: 120, found: 120, failed: 0 }, tokens: { charged: 120 } });
  const lines = await results(service, key, id);
  expect(sorted(lines)).toEqual(numbers.toSorted());
  expect(lines.filter(({ result }) => result?.["status"] !== "validated")).toEqual([]);
  expect(await usedTokens(service, key)).toBe(120);
});

thoroughIt("VIES goes down for good: numbers fail with an error that says so, free of charge", async () => {
  const vies = await startVies();
  vies.setFault("*", { kind: "code", code: "MS_UNAVAILABLE" });
  const numbers = fictionalRsins(30).map((rsin) => `NL${rsin}B01`);
  const { service, key } = await serving({ environment: { VIES_URL: vies.url } }, [50, 50]);
  const { id } = await begun(service, key, [...numbers, "NL123"], "kind=vat");
  const ended = await completed(service, key, id);
  expect(ended).toMatchObject({ counts: { done: 31, found: 1, failed: 30 }, tokens: { charged: 1 } });
  const lines = await results(service, key, id);
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  // A malformed number is known without VIES, and charged.
  expect(byNumber.get("NL123")?.result).toMatchObject({ valid: false, status: "malformed" });
  for (const number of numbers) {
    expect(byNumber.get(number)).toEqual({
      number,
      error: { code: "UPSTREAM_ERROR", message: expect.stringContaining("VIES") },
    });
  }
  expect(await usedTokens(service, key)).toBe(1);
});

it("KVK goes down: the list leaves it alone, and reports no company as unknown without asking KVK", async () => {
  const kvk = await startKvk();
  const { service, key } = await serving({
    companies: [],
    environment: { KVK_API_URL: kvk.url, KVK_API_KEY: kvk.apiKey },
  });
  const known = [...kvk.register.all].map(({ facts }) => facts.kvkNumber).slice(0, 60);
  const unknown = unknownNumbers(20);
  const numbers = [...known.slice(0, 30), ...unknown, ...known.slice(30)];
  kvk.setFault("*", { kind: "gateway", status: 503 });
  const { id } = await begun(service, key, numbers);
  await until("calls to it have stopped", async () => {
    const health = jsonOf(await ask(service, { path: "/v1/health" }));
    return (health as { services: { kvk: string } }).services.kvk === "down";
  });
  expect(await list(service, key, id)).toMatchObject({
    status: "running",
    counts: { done: 0, failed: 0 },
    tokens: { charged: 0 },
  });
  expect(await results(service, key, id)).toEqual([]);
  kvk.clearFaults();
  const ended = await completed(service, key, id);
  expect(ended).toMatchObject({ counts: { done: 80, found: 60, failed: 20 }, tokens: { charged: 60 } });
  const lines = await results(service, key, id);
  expect(sorted(lines)).toEqual(numbers.toSorted());
  const failed = lines.filter(({ error }) => error !== undefined);
  expect(sorted(failed)).toEqual(unknown.toSorted());
  expect(new Set(failed.map(({ error }) => error?.code))).toEqual(new Set(["NOT_FOUND"]));
  expect(await usedTokens(service, key)).toBe(60);
});

thoroughIt("the state goes down before a chunk is stored: the chunk is processed again", async () => {
  const server = await sharedPostgres();
  const DATABASE_URL = await server.newDatabase("lists without a state");
  const proxy = await startDatabaseProxy(server.port);
  const { service, key } = await serving({ environment: { DATABASE_URL: proxy.through(DATABASE_URL) } });
  const numbers = PLAIN;
  let chunks = 0;
  const away = Promise.withResolvers<void>();
  proxy.decide(({ text }) => {
    if (text !== "opzoek_job_taken" || ++chunks < 2) return "pass";
    setImmediate(() => {
      proxy.shut();
      away.resolve();
    });
    return "cut";
  });
  const { id } = await begun(service, key, numbers);
  await away.promise;
  expect((await ask(service, { path: `/v1/jobs/${id}`, key })).status).toBe(503);
  proxy.open();
  const database = new Client({ connectionString: DATABASE_URL });
  await database.connect();
  // Expires the lease that the list had when the state went down.
  await database.query("update jobs set lease_until_ms = 0");
  await database.end();
  const ended = await completed(service, key, id);
  expect(ended).toMatchObject({
    counts: { done: PLAIN.length, found: PLAIN.length },
    tokens: { charged: PLAIN.length },
  });
  expect((await results(service, key, id)).map(({ number }) => number)).toEqual(numbers);
  expect(await usedTokens(service, key)).toBe(PLAIN.length);
});
