/** KVK is down: cached data is returned at once with its true time; anything else is 502 and free of charge. */
import { expect, it } from "vitest";
import { startKvkSimulator } from "../../src/demo/kvk/server.ts";
import { afterFile } from "../kit/afterFile.ts";
import { type Answer, codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { batchIn, callsTo, paidCalls, serveOverKvk, unknownNumbers } from "../kit/kvk.ts";
import { type Service, startService } from "../kit/service.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";

/** Nothing is fresh: every call queries KVK. */
const ALWAYS_ASK = { KVK_FRESH_FOR: "0", KVK_NOT_FOUND_FRESH_FOR: "0" };
const CONNECTIONS = 16;

function cachedAtOf(answer: Answer): string {
  const { source } = jsonOf(answer) as { source: { cachedAt: string } };
  return source.cachedAt;
}

async function kvkHealth(service: Service): Promise<unknown> {
  const { status, text } = await ask(service, { path: "/v1/health" });
  const { services, status: word } = JSON.parse(text) as { services: { kvk: string }; status: string };
  return [status, word, services.kvk];
}

it("after KVK is killed, cached companies return without a wait once calls to it stop, others are 502 and free; and it recovers", async () => {
  const { kvk, service, account, get, batch } = await serveOverKvk({
    environment: { ...ALWAYS_ASK, KVK_DEADLINE_MS: "30000", KVK_BATCH_DEADLINE_MS: "30000" },
  });
  await awayFromMonthEnd();
  const all = [...kvk.register.all].map(({ facts }) => facts.kvkNumber);
  const [cachedNumbers, others] = [all.slice(0, 30), all.slice(30, 60)];
  for (const number of cachedNumbers.slice(0, 3)) await get(`/v1/lookup/${number}/branches`);
  const before = new Map<string, string>();
  for (const number of cachedNumbers) before.set(number, cachedAtOf(await get(`/v1/lookup/${number}`)));
  expect(await kvkHealth(service)).toEqual([200, "ok", "up"]);

  kvk.setFault("*", { kind: "hang" });
  const { port } = kvk;
  await kvk.stop();
  await until("calls to it have stopped", async () => {
    await get(`/v1/lookup/${cachedNumbers[0]}`);
    return service
      .log()
      .some(({ msg, what }) => what === "kvk" && String(msg).includes("calls fail and are paused"));
  });
  expect(await kvkHealth(service)).toEqual([200, "degraded", "down"]);
  const used = async () => (jsonOf(await get("/v1/usage")) as { tokens: { used: number } }).tokens.used;
  const usedBefore = await used();
  const paths = [...cachedNumbers, ...others].map((number) => ({
    path: `/v1/lookup/${number}`,
    key: account.key,
  }));
  const startedMs = performance.now();
  const { answers } = await load(service, [...paths, ...paths], { connections: CONNECTIONS });
  // A call that waited for KVK would take thirty seconds.
  expect(performance.now() - startedMs).toBeLessThan(20_000);
  for (const answer of answers) {
    const { kvkNumber } = jsonOf(answer) as { kvkNumber?: string };
    if (answer.status === 200) expect(cachedAtOf(answer)).toBe(before.get(kvkNumber ?? ""));
    else expect([answer.status, codeOf(answer)]).toEqual([502, "UPSTREAM_ERROR"]);
    expect(numberIn(answer, "x-tokens-charged")).toBe(answer.status === 200 ? 1 : 0);
  }
  expect(answers.filter(({ status }) => status === 200).length).toBe(2 * cachedNumbers.length);
  expect((await used()) - usedBefore).toBe(2 * cachedNumbers.length);

  const body = batchIn(await batch([...cachedNumbers, ...others]));
  expect(body.results.map(({ kvkNumber }) => kvkNumber)).toEqual(cachedNumbers);
  expect(new Set(body.failed.map(({ error }) => error.code))).toEqual(new Set(["UPSTREAM_ERROR"]));
  expect(body.tokensUsed).toBe(cachedNumbers.length);
  expect((await get(`/v1/lookup/${cachedNumbers[0]}/branches`)).status).toBe(200);
  expect((await get(`/v1/lookup/${cachedNumbers[5]}?enrich=true`)).status).toBe(200);

  const back = await startKvkSimulator({ port });
  afterFile(() => back.stop());
  await until(
    "it is called again",
    async () => (await get(`/v1/lookup/${others[0]}`)).status === 200,
    90_000,
  );
  await until(
    "health reports it",
    async () => JSON.stringify(await kvkHealth(service)) === '[200,"ok","up"]',
  );
  expect(
    cachedAtOf(await get(`/v1/lookup/${cachedNumbers[0]}`)) > (before.get(cachedNumbers[0] ?? "") ?? ""),
  ).toBe(true);
});

it("when KVK refuses the key, the log and health report it, callers get 502, and the key is never shown", async () => {
  const { kvk, service, get } = await serveOverKvk();
  kvk.setFault("*", { kind: "gateway", status: 401 });
  const answer = await get("/v1/lookup/90000010");
  expect([answer.status, codeOf(answer)]).toEqual([502, "UPSTREAM_ERROR"]);
  expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  const line = await until("the log has the line", () =>
    service.log().find(({ msg }) => String(msg).includes("KVK_API_KEY")),
  );
  expect(line).toMatchObject({ level: 50, reason: "KEY_REFUSED" });
  expect(await kvkHealth(service)).toEqual([200, "degraded", "down"]);
  kvk.clearFaults();
  await until("it works again", async () => (await get("/v1/lookup/90000010")).status === 200);
  expect(await kvkHealth(service)).toEqual([200, "ok", "up"]);
});

thoroughIt("no log line and no response contains the key or a KVK number, whatever KVK does", async () => {
  const secret = "s3cret-key-of-an-operator";
  const { kvk, service, get, batch } = await serveOverKvk({
    kvk: { apiKey: secret },
    environment: { LOG_LEVEL: "debug", KVK_DEADLINE_MS: "300", KVK_BATCH_DEADLINE_MS: "300", ...ALWAYS_ASK },
  });
  const answers: Answer[] = [];
  for (const fault of [
    undefined,
    { kind: "gateway", status: 403 },
    { kind: "html", status: 500 },
    { kind: "reset" },
    { kind: "hang" },
    { kind: "tooMany" },
    { kind: "deviate", field: "naam", value: { odd: true } },
  ] as const) {
    kvk.setFault("*", fault);
    answers.push(await get("/v1/lookup/90000010"), await get("/v1/lookup/90000010/branches"));
    answers.push(await batch(["90000020", "90000030"], { enrich: true }));
    answers.push(await get("/v1/search?q=appel"), await ask(service, { path: "/v1/health" }));
  }
  expect(await service.end("SIGTERM")).toBe(0);
  const written = service.program.out() + service.program.err() + answers.map(({ text }) => text).join("");
  expect(written).not.toContain(secret);
  const log = service.program.out() + service.program.err();
  for (const number of ["90000010", "90000020", "Appel"]) expect(log).not.toContain(number);
});

thoroughIt("no company that was paid for is lost on kill -9 between fetch and response", async () => {
  // KVK's answer is awaited, however slow the machine is.
  const over = await serveOverKvk({ environment: { KVK_DAILY_CALLS: "100000", KVK_DEADLINE_MS: "30000" } });
  const { kvk, world, service, account } = over;
  const numbers = [...kvk.register.all].slice(0, 1_000).map(({ facts }) => facts.kvkNumber);
  const calls = numbers.map((number) => ({ path: `/v1/lookup/${number}`, key: account.key }));
  let delivered = 0;
  const { answers } = await load(service, calls, {
    connections: CONNECTIONS,
    onAnswer: ({ status }) => {
      if (status === 200 && ++delivered === 50) service.program.child.kill("SIGKILL");
      return true;
    },
  });
  await service.program.ended;
  const succeeded = answers.filter(({ status }) => status === 200);
  expect(succeeded.length).toBeGreaterThanOrEqual(50);
  const paid = paidCalls(kvk);
  await kvk.stop();

  const again = callsTo(await startService(world), account);
  for (const answer of succeeded) {
    const { kvkNumber } = jsonOf(answer) as { kvkNumber: string };
    const response = await again.get(`/v1/lookup/${kvkNumber}`);
    expect(response.text).toBe(answer.text);
  }
  // Requests in progress at the kill may or may not have been stored; stored ones are returned.
  expect(paid).toBeLessThanOrEqual(succeeded.length + 2 * CONNECTIONS);
  const unknown = await again.get(`/v1/lookup/${unknownNumbers(1)[0]}`);
  expect(codeOf(unknown)).toBe("UPSTREAM_ERROR");
  await expectSoundState(world);
});
