/** Several threads behind one address: they share the work and the data, replace each other, and end together. */
import { describe, expect, it } from "vitest";
import { type Asked, codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { connections, threadOf } from "../kit/connections.ts";
import { opzoek } from "../kit/opzoek.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { sourcedFacts } from "../kit/registry.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { startedBatch } from "../kit/startedBatch.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";

const ESCAPE = new URL("../kit/escape.ts", import.meta.url).href;
const TOKENS = 777;
const CALLS = 1_500;
const RATE = 137;
const LOOKUP = `/v1/lookup/${BAKERY}`;

const world = (threads: number, environment: Readonly<Record<string, string>> = {}): Promise<World> =>
  makeWorld({
    environment: { WORKERS: String(threads), ...environment },
    tiers: { few: { ...PLENTY, monthlyTokens: TOKENS }, slow: { ...PLENTY, ratePerMinute: RATE } },
  });

const linesOf = (service: Service, beginning: string) =>
  service.log().filter(({ msg }) => String(msg).startsWith(beginning));

function* endless(asked: Asked): Generator<Asked> {
  for (;;) yield asked;
}

describe.each(["the embedded store", "PostgreSQL"])("three threads over %s", (store) => {
  it("share an address and the tokens of an account, to the last one, and end with it", async () => {
    const shared = await world(
      3,
      store === "PostgreSQL" ? { DATABASE_URL: await (await sharedPostgres()).database("threads") } : {},
    );
    const { key, id } = await shared.account("few");
    await awayFromMonthEnd();
    const service = await startService(shared);
    service.program.child.kill("SIGUSR1");
    const calls = Array.from({ length: CALLS }, () => ({ path: LOOKUP, key }));
    const { answers, unanswered } = await load(service, calls, { connections: 48 });
    expect(unanswered).toEqual([]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(TOKENS);
    expect(answers.filter((answer) => codeOf(answer) === "QUOTA_EXCEEDED")).toHaveLength(CALLS - TOKENS);
    expect(new Set(answers.map(threadOf)).size).toBe(3);
    expect(await service.end("SIGTERM")).toBe(0);
    // Lines of several threads: each is whole, and there is one for each call.
    const lines = service.log().filter(({ msg }) => msg === undefined);
    expect(lines).toHaveLength(CALLS);
    expect(linesOf(service, "listening")).toMatchObject([{ threads: 3 }]);
    const { out } = await opzoek(["usage", id, "--json"], shared.environment);
    expect(JSON.parse(out)).toMatchObject({ tokens: { used: TOKENS } });
    // SIGUSR1 opened no debugger.
    expect(service.program.err()).toBe("");
  });
});

it("let exactly the rate of a key through in every minute that refused one", async () => {
  const shared = await world(3);
  const { key } = await shared.account("slow");
  await awayFromMonthEnd();
  const service = await startService(shared);
  const calls = Array.from({ length: 1_000 }, () => ({ path: LOOKUP, key }));
  const { answers, unanswered } = await load(service, calls, { connections: 48 });
  expect(unanswered).toEqual([]);
  const windows = Map.groupBy(answers, (answer) => numberIn(answer, "x-ratelimit-reset"));
  for (const inWindow of windows.values()) {
    const granted = inWindow.filter(({ status }) => status === 200);
    expect(granted.length).toBeLessThanOrEqual(RATE);
    if (granted.length < inWindow.length) expect(granted).toHaveLength(RATE);
  }
  expect([...windows.values()].some((inWindow) => inWindow.length > RATE)).toBe(true);
});

const escaping = (how: string, more = "") => ({ NODE_OPTIONS: `--import=${ESCAPE} ${more}`, ESCAPE: how });

describe("a thread", () => {
  it.each([
    ["ends by itself", escaping("one of requests, exit"), { code: 3 }],
    [
      "has no memory left",
      escaping("one of requests, memory", "--max-old-space-size=96"),
      { err: { code: "ERR_WORKER_OUT_OF_MEMORY" } },
    ],
  ])("that %s is replaced, and the others go on", async (_, environment, told) => {
    const shared = await world(2, environment);
    const { key } = await shared.account("plenty");
    const service = await startService(shared);
    await connections(service, 2);
    service.program.child.kill("SIGUSR2");
    await until("it is replaced", () => linesOf(service, "a thread answers calls in the place").length === 1);
    expect(linesOf(service, "a thread that answers calls is lost")).toMatchObject([{ thread: 1, ...told }]);
    for (const agent of await connections(service, 2)) {
      expect((await ask(service, { path: LOOKUP, key }, agent)).status).toBe(200);
    }
    expect(await service.end("SIGTERM")).toBe(0);
    await expectSoundState(shared);
  });

  it.each(["one of requests, throw", "one of requests, again"])(
    "in which nobody caught an error is told once, answers what it has, and is replaced: %s",
    async (how) => {
      const shared = await world(2, escaping(how));
      const { key } = await shared.account("plenty");
      const service = await startService(shared);
      const agents = await connections(service, 2);
      const threads = await Promise.all(
        agents.map(async (agent) => threadOf(await ask(service, { path: "/v1/health" }, agent))),
      );
      // On many connections, so that some are of the one that fails.
      const batches = await Promise.all(Array.from({ length: 24 }, () => startedBatch(service, key)));
      service.program.child.kill("SIGUSR2");
      await until(
        "another listens",
        () => linesOf(service, "a thread answers calls in the place").length === 1,
      );
      for (const { socket } of batches) socket.write("}");
      await until("all are answered", () => batches.every(({ said }) => said().includes("tokensUsed")));
      const answers = batches.map(({ said }) => parseAnswer(Buffer.from(said())));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(new Set(answers.map(threadOf))).toEqual(new Set(threads));
      expect(linesOf(service, "nobody caught this error")).toMatchObject([
        { level: 50, err: { stack: expect.stringMatching(/this escaped.*\n\s+at .*fail/) } },
      ]);
      for (const { socket } of batches) socket.destroy();
      const now = await connections(service, 2);
      expect(now).toHaveLength(2);
      expect(await service.end("SIGTERM")).toBe(0);
      expect(service.program.out() + service.program.err()).not.toContain("opz_live_");
      await expectSoundState(shared);
    },
  );
});

it("say that the service ends also in a thread that takes another's place meanwhile", async () => {
  const service = await startService(
    await world(2, { ...escaping("one of requests, exit"), DRAIN_DELAY_MS: "60000" }),
  );
  service.program.child.kill("SIGTERM");
  const before = await connections(service, 2);
  for (const agent of before) {
    const status = async () => (await ask(service, { path: "/readyz" }, agent)).status;
    await until("it says that it ends", async () => (await status()) === 503);
  }
  service.program.child.kill("SIGUSR2");
  await until("it is replaced", () => linesOf(service, "a thread answers calls in the place").length === 1);
  const said = await Promise.all(
    (await connections(service, 2)).map(
      async (agent) => (await ask(service, { path: "/readyz" }, agent)).status,
    ),
  );
  expect(said).toEqual([503, 503]);
  service.program.child.kill("SIGTERM");
  expect((await service.program.ended).code).toBeNull();
});

it("take up a new registry with no call that fails, and all of them have it when the log says so", async () => {
  const shared = await world(3);
  const { key } = await shared.account("plenty");
  const service = await startService(shared);
  const agents = await connections(service, 3);
  const added = sourcedFacts(77, { name: "Nieuwkomer Sage B.V." });
  let isDone = false;
  const loaded = load(service, endless({ path: LOOKUP, key }), { connections: 12, onAnswer: () => !isDone });
  await shared.import([added]);
  await until("it is served", () => linesOf(service, "a new registry snapshot is served").length === 1);
  const found = await Promise.all(
    agents.map((agent) => ask(service, { path: `/v1/lookup/${added.facts.kvkNumber}`, key }, agent)),
  );
  expect(found.map(({ status }) => status)).toEqual(agents.map(() => 200));
  const typed = await Promise.all(
    agents.map((agent) => ask(service, { path: "/v1/autocomplete?q=nieuwkomer", key }, agent)),
  );
  expect(typed.map((answer) => JSON.stringify(jsonOf(answer)).includes(added.facts.kvkNumber))).toEqual(
    agents.map(() => true),
  );
  isDone = true;
  const { answers, unanswered } = await loaded;
  expect(unanswered).toEqual([]);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect((await ask(service, { path: `/v1/lookup/${UNKNOWN}`, key })).status).toBe(404);
});

it("serve a registry that comes when they listen already", async () => {
  const shared = await makeWorld({ companies: [], environment: { WORKERS: "2" } });
  const { key } = await shared.account("plenty");
  const service = await startService(shared);
  const agents = await connections(service, 2);
  expect((await ask(service, { path: "/v1/health" })).status).toBe(503);
  const added = sourcedFacts(1);
  await shared.import([added]);
  await until("it is served", () => linesOf(service, "a new registry snapshot is served").length === 1);
  for (const agent of agents) {
    const path = `/v1/lookup/${added.facts.kvkNumber}`;
    expect((await ask(service, { path, key }, agent)).status).toBe(200);
  }
});

it("lose no answer and no charge when they are stopped under load", async () => {
  const shared = await world(2);
  const { key, id } = await shared.account("plenty");
  const service = await startService(shared);
  const { answers } = await load(service, endless({ path: LOOKUP, key }), {
    connections: 16,
    onAnswer: (answer, count) => {
      if (count === 200) service.program.child.kill("SIGTERM");
      return answer.headers.connection !== "close";
    },
  });
  expect((await service.program.ended).code).toBe(0);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(service.log().at(-1)).toMatchObject({ msg: "stopped" });
  const { out } = await opzoek(["usage", id, "--json"], shared.environment);
  expect(JSON.parse(out)).toMatchObject({ tokens: { used: answers.length } });
});
