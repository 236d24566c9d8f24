/** The operator's budget holds to the call, and no account burns it on numbers that nobody has. */
import { expect, it } from "vitest";
import { codeOf, jsonOf, numberIn } from "../support/answer.ts";
import { ask, load } from "../support/client.ts";
import { batchIn, callsTo, paidCalls, serveOverKvk, startKvk, unknownNumbers } from "../support/kvk.ts";
import { startOpzoek } from "../support/opzoek.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { makeWorld } from "../support/world.ts";

it("ten calls a day and a hundred numbers: exactly ten reach KVK, and what they told is told on", async () => {
  const { kvk, service, world, account, get, batch } = await serveOverKvk({
    environment: { KVK_DAILY_CALLS: "10" },
  });
  const numbers = [...kvk.register.all].slice(0, 100).map(({ facts }) => facts.kvkNumber);
  const body = batchIn(await batch(numbers));
  expect(paidCalls(kvk)).toBe(10);
  expect(body.results.length).toBe(10);
  expect(body.tokensUsed).toBe(10);
  expect(body.failed.length).toBe(90);
  for (const { error } of body.failed) {
    expect(error.code).toBe("UPSTREAM_ERROR");
    expect(error.message).toContain("today");
  }
  const again = batchIn(await batch(numbers, { enrich: true }));
  expect(again.results.map(({ kvkNumber }) => kvkNumber)).toEqual(
    body.results.map(({ kvkNumber }) => kvkNumber),
  );
  const [first] = body.results;
  const older = await get(`/v1/lookup/${first?.kvkNumber}?maxAge=3600`);
  expect(older.status).toBe(200);
  const health = jsonOf(await ask(service, { path: "/v1/health" }));
  expect(health).toMatchObject({ status: "degraded", services: { kvk: "degraded" } });
  const told = () => service.log().filter(({ msg }) => msg === "today's calls to KVK are spent");
  await until("the log tells", () => told().length > 0);

  expect(await service.end("SIGTERM")).toBe(0);
  expect(told().length).toBe(1);
  const next = callsTo(await startService(world), account);
  expect(codeOf(await next.get(`/v1/lookup/${numbers[99]}`))).toBe("UPSTREAM_ERROR");
  expect((await next.get(`/v1/lookup/${first?.kvkNumber}`)).status).toBe(200);
  expect(jsonOf(await ask(next.service, { path: "/v1/health" }))).toMatchObject({ status: "degraded" });
  expect(paidCalls(kvk)).toBe(10);
});

it("two services over one state share the budget to the call", async () => {
  const kvk = await startKvk();
  const world = await makeWorld({
    companies: [],
    environment: { KVK_API_URL: kvk.url, KVK_API_KEY: kvk.apiKey, KVK_DAILY_CALLS: "40" },
  });
  const account = await world.account("plenty");
  const services = [await startService(world), await startService(world)];
  const numbers = [...kvk.register.all].slice(0, 120).map(({ facts }) => facts.kvkNumber);
  const halves = await Promise.all(
    services.map((service, index) =>
      load(
        service,
        numbers
          .slice(index * 60, index * 60 + 60)
          .map((number) => ({ path: `/v1/lookup/${number}`, key: account.key })),
        { connections: 8 },
      ),
    ),
  );
  expect(paidCalls(kvk)).toBe(40);
  const found = halves.flatMap(({ answers }) => answers).filter(({ status }) => status === 200);
  expect(found.length).toBe(40);
});

it("an account may ask for so many numbers that KVK does not know, others may go on, and what exists is found", async () => {
  const { kvk, world, get, batch } = await serveOverKvk({ environment: { KVK_DAILY_MISSES: "20" } });
  const known = [...kvk.register.all].slice(0, 60).map(({ facts }) => facts.kvkNumber);
  // Numbers that exist count for nothing, however many are asked for at once.
  expect(batchIn(await batch(known)).failed).toEqual([]);
  const { failed } = batchIn(await batch(unknownNumbers(100)));
  const codes = failed.map(({ error }) => error.code);
  expect(codes.filter((code) => code === "NOT_FOUND").length).toBe(20);
  expect(codes.filter((code) => code === "UPSTREAM_ERROR").length).toBe(80);
  expect(paidCalls(kvk)).toBe(60 + 20);
  const refused = await get("/v1/lookup/72000001");
  expect([codeOf(refused), numberIn(refused, "x-tokens-charged")]).toEqual(["UPSTREAM_ERROR", 0]);
  expect(refused.text).toContain("this account");
  expect((await get(`/v1/lookup/${known[0]}`)).status).toBe(200);
  const { key } = await world.account("plenty");
  expect(codeOf(await get("/v1/lookup/72000001", key))).toBe("NOT_FOUND");
  expect(codeOf(await get("/v1/lookup/72000001"))).toBe("NOT_FOUND");
  expect(paidCalls(kvk)).toBe(60 + 21);
});

it("batches at once of numbers that nobody has burn no more than one would", async () => {
  const { kvk, batch } = await serveOverKvk({ environment: { KVK_DAILY_MISSES: "30" } });
  await Promise.all([1, 2, 3, 4].map((part) => batch(unknownNumbers(100, 70_000_000 + part * 1_000))));
  expect(paidCalls(kvk)).toBe(30);
});

it("calls that time out do not use the budget up", async () => {
  const { kvk, service, get } = await serveOverKvk({
    environment: { KVK_DAILY_CALLS: "50", KVK_DEADLINE_MS: "100" },
  });
  kvk.setFault("*", { kind: "hang" });
  const numbers = [...kvk.register.all].map(({ facts }) => facts.kvkNumber);
  let asked = 0;
  await until("KVK is left alone for good", async () => {
    const before = paidCalls(kvk);
    for (let count = 0; count < 20; count++) await get(`/v1/lookup/${numbers[asked++ % numbers.length]}`);
    return before > 0 && paidCalls(kvk) === before;
  });
  expect(paidCalls(kvk)).toBeLessThanOrEqual(15);
  expect(jsonOf(await ask(service, { path: "/v1/health" }))).toMatchObject({ status: "degraded" });
});

it.each([
  [{ KVK_API_KEY: "a key with spaces" }, "KVK_API_KEY"],
  [{ KVK_API_KEY: "key", KVK_API_URL: "http://registry.example/api" }, "KVK_API_URL"],
  [{ KVK_API_KEY: "key", KVK_API_CA: "no-such-file.pem" }, "KVK_API_CA"],
])("a setting of KVK that cannot be used stops the start by name: %o", async (environment, name) => {
  const world = await makeWorld({ companies: [], environment });
  const { code, err } = await startOpzoek(["serve"], world.environment).ended;
  expect(code).not.toBe(0);
  expect(err).toContain(name);
  expect(err).not.toContain("a key with spaces");
  expect(err.trim().split("\n").length).toBe(1);
});
