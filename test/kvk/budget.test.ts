/** The operator's daily budget is exact, and no account can exhaust it with numbers that do not exist. */
import { beforeEach, expect, it } from "vitest";
import { begun, completed, listWhen } from "../jobs/lists.ts";
import { codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { callUntilAccepted } from "../kit/busyDatabase.ts";
import { ask, load } from "../kit/client.ts";
import { batchIn, callsTo, paidCalls, serveOverKvk, startKvk, unknownNumbers } from "../kit/kvk.ts";
import { opzoek } from "../kit/opzoek.ts";
import { startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { awayFromDutchDayEnd, until } from "../kit/until.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";

/** A call that times out on a busy machine would be repeated, and paid again. */
const FETCH_TIMEOUTS = { KVK_DEADLINE_MS: "30000", KVK_BATCH_DEADLINE_MS: "60000" };

beforeEach(awayFromDutchDayEnd);

it("exactly ten of a hundred calls reach KVK with a budget of ten, and their answers are returned", async () => {
  const { kvk, service, world, account, get, batch } = await serveOverKvk({
    environment: { KVK_DAILY_CALLS: "10", ...FETCH_TIMEOUTS },
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
  const warnings = () => service.log().filter(({ msg }) => msg === "today's calls to KVK are used up");
  await until("the log has the warning", () => warnings().length > 0);

  expect(await service.end("SIGTERM")).toBe(0);
  expect(warnings().length).toBe(1);
  const next = callsTo(await startService(world), account);
  expect(codeOf(await next.get(`/v1/lookup/${numbers[99]}`))).toBe("UPSTREAM_ERROR");
  expect((await next.get(`/v1/lookup/${first?.kvkNumber}`)).status).toBe(200);
  expect(jsonOf(await ask(next.service, { path: "/v1/health" }))).toMatchObject({ status: "degraded" });
  expect(paidCalls(kvk)).toBe(10);
});

thoroughIt("a list stays within the budget, leaves callers their part, and postpones the rest", async () => {
  const { kvk, service, account, get } = await serveOverKvk({
    environment: { KVK_DAILY_CALLS: "250", ...FETCH_TIMEOUTS },
  });
  const numbers = [...kvk.register.all].slice(0, 320).map(({ facts }) => facts.kvkNumber);
  const { key } = account;
  const first = await begun(service, key, numbers.slice(0, 200));
  const own = await load(
    service,
    numbers.slice(200, 220).map((number) => ({ path: `/v1/lookup/${number}`, key })),
    { connections: 4 },
  );
  expect(new Set(own.answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await completed(service, key, first.id)).toMatchObject({ counts: { found: 200 } });
  expect(paidCalls(kvk)).toBe(220);

  const second = await begun(service, key, numbers.slice(220));
  const waiting = await listWhen(service, key, second.id, ({ counts }) => counts.found === 30);
  expect([waiting.status, waiting.tokens.charged, waiting.counts.failed]).toEqual(["running", 30, 0]);
  expect((await get(`/v1/lookup/${numbers[0]}`)).status).toBe(200);
  expect(paidCalls(kvk)).toBe(250);
});

const server = await sharedPostgres();

thoroughIt("two services with one state share the budget exactly", async () => {
  const kvk = await startKvk();
  const world = await makeWorld({
    companies: [],
    environment: {
      KVK_API_URL: kvk.url,
      KVK_API_KEY: kvk.apiKey,
      KVK_DAILY_CALLS: "40",
      DATABASE_URL: await server.database("shared"),
      ...FETCH_TIMEOUTS,
    },
  });
  const account = await world.account("plenty");
  const services = [await startService(world), await startService(world)];
  const numbers = [...kvk.register.all].slice(0, 120).map(({ facts }) => facts.kvkNumber);
  const halves = await Promise.all(
    services.map((service, index) =>
      callUntilAccepted(
        service,
        numbers
          .slice(index * 60, index * 60 + 60)
          .map((number) => ({ path: `/v1/lookup/${number}`, key: account.key })),
        8,
      ),
    ),
  );
  const paid = paidCalls(kvk);
  const found = halves.flatMap(({ answers }) => answers).filter(({ status }) => status === 200);
  const refusals = halves.reduce((sum, half) => sum + half.refusals, 0);
  expect(paid).toBeLessThanOrEqual(40);
  expect(found.length).toBeLessThanOrEqual(paid);
  // A count lost to a busy database is spent without an answer: at most one call for each refusal.
  expect(found.length + refusals).toBeGreaterThanOrEqual(40);
});

thoroughIt(
  "an account is limited in requests for numbers unknown to KVK, others are not affected, and existing companies are found",
  async () => {
    const { kvk, world, get, batch } = await serveOverKvk({
      environment: { KVK_DAILY_MISSES: "20", ...FETCH_TIMEOUTS },
    });
    const known = [...kvk.register.all].slice(0, 60).map(({ facts }) => facts.kvkNumber);
    // Numbers that exist do not count as misses, however many are requested at once.
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
  },
);

thoroughIt("concurrent batches of nonexistent numbers use no more than one would", async () => {
  const { kvk, batch } = await serveOverKvk({ environment: { KVK_DAILY_MISSES: "30", ...FETCH_TIMEOUTS } });
  await Promise.all([1, 2, 3, 4].map((part) => batch(unknownNumbers(100, 70_000_000 + part * 1_000))));
  expect(paidCalls(kvk)).toBe(30);
});

thoroughIt("an account deleted and created again keeps its count, on every process", async () => {
  const { kvk, service, world } = await serveOverKvk({
    environment: { KVK_DAILY_MISSES: "5", DATABASE_URL: await server.database("anew"), ...FETCH_TIMEOUTS },
  });
  const email = "back@fabel.example";
  const made = async () => {
    const { id, key } = await world.withAccounts(async (accounts) => {
      const { id } = await accounts.create(email, "plenty");
      return { id, key: (await accounts.createKey(id, "key")).key };
    });
    return { id, key };
  };
  const first = await made();
  const codes = async (from: typeof service, key: string, count: number, begin: number) => {
    const calls = unknownNumbers(count, begin).map((number) => ({ path: `/v1/lookup/${number}`, key }));
    const { answers, refusals } = await callUntilAccepted(from, calls, 6);
    return { codes: answers.map(codeOf), refusals };
  };
  const before = await codes(service, first.key, 3, 70_000_000);
  expect(before.codes).toEqual(Array(3).fill("NOT_FOUND"));
  await world.withAccounts((accounts) => accounts.remove(first.id));
  const second = await made();
  const other = await startService(world);
  const [here, there] = await Promise.all([
    codes(service, second.key, 6, 71_000_000),
    codes(other, second.key, 6, 72_000_000),
  ]);
  const returned = [...here.codes, ...there.codes].sort();
  const misses = returned.filter((code) => code === "NOT_FOUND").length;
  expect(returned).toEqual([
    ...Array(misses).fill("NOT_FOUND"),
    ...Array(12 - misses).fill("UPSTREAM_ERROR"),
  ]);
  // A miss reported by KVK counts, even if the call was refused afterwards.
  expect(misses).toBeLessThanOrEqual(2);
  expect(misses + here.refusals + there.refusals).toBeGreaterThanOrEqual(2);
  expect(paidCalls(kvk)).toBe(5);
});

it("free accounts share their part of the day, including in batches, and the others have the rest", async () => {
  const { kvk, service, world, account, get, batch } = await serveOverKvk({
    tiers: { gratis: { ...PLENTY, isFree: true } },
    environment: { KVK_DAILY_CALLS: "50", KVK_FREE_SHARE: "0.4", ...FETCH_TIMEOUTS },
  });
  const numbers = [...kvk.register.all].slice(0, 120).map(({ facts }) => facts.kvkNumber);
  const free = [await world.account("gratis"), await world.account("gratis")];
  const batches = await Promise.all(
    free.map(async ({ key }, index) =>
      batchIn(await batch(numbers.slice(index * 40, index * 40 + 40), {}, key)),
    ),
  );
  expect(paidCalls(kvk)).toBe(20);
  expect(batches.reduce((sum, { results }) => sum + results.length, 0)).toBe(20);
  const [failed] = batches.flatMap(({ failed }) => failed);
  expect(failed?.error).toMatchObject({ code: "UPSTREAM_ERROR" });
  expect(failed?.error.message).toContain("accounts of free plans");
  expect(jsonOf(await ask(service, { path: "/v1/health" }))).toMatchObject({ status: "ok" });
  // A paid call that waits for a number refused to a free account makes its own request.
  const [refused, paid] = await Promise.all([
    get(`/v1/lookup/${numbers[100]}`, free[0]?.key),
    get(`/v1/lookup/${numbers[100]}`),
  ]);
  expect(paid.status).toBe(200);
  expect([200, 502]).toContain(refused.status);
  const others = batchIn(await batch(numbers.slice(80, 100).concat(numbers.slice(101, 120))));
  expect([others.results.length, paidCalls(kvk)]).toEqual([29, 50]);
  expect(others.failed[0]?.error.message).toContain("this service has used up today's budget of KVK calls");
  const warnings = () => service.log().filter(({ msg }) => String(msg).startsWith("accounts of free tiers"));
  await until("the log has the line", () => warnings().length === 1);
  expect(warnings()[0]).toMatchObject({ calls: 20 });
  expect(account.id).not.toBe(free[0]?.id);
});

thoroughIt("free accounts may use the whole day if there are no others", async () => {
  const kvk = await startKvk();
  const world = await makeWorld({
    companies: [],
    tiers: { gratis: { ...PLENTY, isFree: true } },
    environment: { KVK_API_URL: kvk.url, KVK_API_KEY: kvk.apiKey, KVK_DAILY_CALLS: "10", ...FETCH_TIMEOUTS },
  });
  const account = await world.account("gratis");
  const { batch } = callsTo(await startService(world), account);
  const numbers = [...kvk.register.all].slice(0, 20).map(({ facts }) => facts.kvkNumber);
  expect(batchIn(await batch(numbers)).results.length).toBe(10);
});

it("calls that time out do not use up the budget", async () => {
  const { kvk, service, get } = await serveOverKvk({
    environment: { KVK_DAILY_CALLS: "50", KVK_DEADLINE_MS: "100" },
  });
  kvk.setFault("*", { kind: "hang" });
  const numbers = [...kvk.register.all].map(({ facts }) => facts.kvkNumber);
  let requestCount = 0;
  await until("calls to KVK have stopped for good", async () => {
    const before = paidCalls(kvk);
    for (let count = 0; count < 20; count++)
      await get(`/v1/lookup/${numbers[requestCount++ % numbers.length]}`);
    return before > 0 && paidCalls(kvk) === before;
  });
  expect(paidCalls(kvk)).toBeLessThanOrEqual(15);
  expect(jsonOf(await ask(service, { path: "/v1/health" }))).toMatchObject({ status: "degraded" });
});

it.each([
  [{ KVK_API_KEY: "a key with spaces" }, "KVK_API_KEY"],
  [{ KVK_API_KEY: "key", KVK_API_URL: "http://registry.example/api" }, "KVK_API_URL"],
  [{ KVK_API_KEY: "key", KVK_API_CA: "no-such-file.pem" }, "KVK_API_CA"],
  [{ KVK_FREE_SHARE: "1.2" }, "KVK_FREE_SHARE"],
])("an invalid KVK setting stops the start with its name: %o", async (environment, name) => {
  const world = await makeWorld({ companies: [], environment });
  const { code, err } = await opzoek(["serve"], world.environment);
  expect(code).not.toBe(0);
  expect(err).toContain(name);
  expect(err).not.toContain("a key with spaces");
  expect(err.trim().split("\n").length).toBe(1);
});
