/** Several worker processes behind one address: they share the work and the state, are replaced, and end together. */
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { codeOf, jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { callUntilAccepted } from "../kit/busyDatabase.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { connections, processOf } from "../kit/connections.ts";
import { freePort } from "../kit/freePort.ts";
import { opzoek, spawnOpzoek, startOpzoek } from "../kit/opzoek.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { sourcedFacts } from "../kit/registry.ts";
import { type Service, serviceBy, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { startedBatch } from "../kit/startedBatch.ts";
import { thoroughDescribe, thoroughIt } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";

const ESCAPE = new URL("../kit/escape.ts", import.meta.url).href;
const TOKENS = 277;
const CALLS = 600;
const RATE = 137;
const LOOKUP = `/v1/lookup/${BAKERY}`;

const world = async (workers: number, environment: Readonly<Record<string, string>> = {}): Promise<World> =>
  makeWorld({
    environment: {
      DATABASE_URL: await (await sharedPostgres()).newDatabase("workers"),
      WORKERS: String(workers),
      ...environment,
    },
    tiers: { few: { ...PLENTY, monthlyTokens: TOKENS }, slow: { ...PLENTY, ratePerMinute: RATE } },
  });

const linesOf = (service: Service, beginning: string) =>
  service.log().filter(({ msg }) => String(msg).startsWith(beginning));
const RESTARTED = "a worker process ended unexpectedly and is being restarted";
const REPLACED = "a restarted worker process is listening";
const replaced = (service: Service) =>
  until("the worker is replaced", () => linesOf(service, REPLACED).length === 1);

function* endless(request: TestRequest): Generator<TestRequest> {
  for (;;) yield request;
}

it("workers are refused on the embedded state, with the reason and the remedy", async () => {
  const { environment } = await makeWorld({ environment: { WORKERS: "2" } });
  const { code, out, err } = await spawnOpzoek(["serve"], environment);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(
    /^opzoek: WORKERS=2 needs DATABASE_URL: [^\n]*set DATABASE_URL=[^\n]* or unset WORKERS\n$/,
  );
});

it("workers share an address and an account's tokens, to the last one, and end together", async () => {
  const shared = await world(2);
  const { key, id } = await shared.account("few");
  await awayFromMonthEnd();
  const service = await startService(shared);
  expect(service.workers()).toHaveLength(2);
  for (const pid of service.workers()) process.kill(pid, "SIGUSR1");
  const calls = Array.from({ length: CALLS }, () => ({ path: LOOKUP, key }));
  const { answers, refusals } = await callUntilAccepted(service, calls, 48);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(TOKENS);
  expect(answers.filter((answer) => codeOf(answer) === "QUOTA_EXCEEDED")).toHaveLength(CALLS - TOKENS);
  expect(new Set(answers.map(processOf)).size).toBe(2);
  expect(await service.end("SIGTERM")).toBe(0);
  // Log lines of several processes: each is complete, and there is one for each call.
  expect(service.log().filter(({ msg }) => msg === undefined)).toHaveLength(CALLS + refusals);
  expect(linesOf(service, "listening")).toMatchObject([{ workers: 2 }]);
  expect(linesOf(service, "a worker process has stopped")).toHaveLength(2);
  expect(service.log().at(-1)).toMatchObject({ msg: "stopped" });
  const { out } = await opzoek(["usage", id, "--json"], shared.environment);
  expect(JSON.parse(out)).toMatchObject({ tokens: { used: TOKENS } });
  // SIGUSR1 opened no debugger.
  expect(service.program.err()).toBe("");
});

thoroughIt("workers allow exactly a key's rate in every minute with a refusal", async () => {
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

const escaping = (how: string) => ({ NODE_OPTIONS: `--import=${ESCAPE}`, ESCAPE: how });

describe("a worker", () => {
  it("that is killed is replaced, and callers of the others are not affected", async () => {
    const shared = await world(2);
    const { key, id } = await shared.account("plenty");
    await awayFromMonthEnd();
    const service = await startService(shared);
    const [pid = 0] = service.workers();
    const agents = await connections(service, 2);
    const calls = await Promise.all(
      agents.map(async (agent) => {
        const statuses: (number | undefined)[] = [];
        const call = () => ask(service, { path: LOOKUP, key }, agent);
        for (let nth = 0; nth < 60; nth++) {
          if (nth === 20 && agent === agents[0]) process.kill(pid, "SIGKILL");
          statuses.push((await call().catch(() => undefined))?.status);
        }
        return statuses;
      }),
    );
    await replaced(service);
    expect(linesOf(service, RESTARTED)).toMatchObject([{ code: null, signal: "SIGKILL", restartInMs: 0 }]);
    // One of the two connections belonged to the killed worker. It lost at most its current call, and the next one if
    // its new connection waited in the killed worker's queue. The other lost none.
    const lost = calls.map((statuses) => statuses.filter((status) => status !== 200).length).sort();
    expect(lost[0]).toBe(0);
    expect(lost[1]).toBeLessThanOrEqual(2);
    for (const agent of await connections(service, 2)) {
      expect((await ask(service, { path: LOOKUP, key }, agent)).status).toBe(200);
    }
    expect(service.workers()).not.toContain(pid);
    const answered = calls.flat().filter((status) => status === 200).length + 2;
    const { tokens } = jsonOf(await ask(service, { path: "/v1/usage", key })) as { tokens: { used: number } };
    expect(tokens.used).toBeGreaterThanOrEqual(answered);
    expect(tokens.used).toBeLessThanOrEqual(answered + 1);
    expect(await service.end("SIGTERM")).toBe(0);
    await expectSoundState(shared);
    expect(id).toBeDefined();
  });

  for (const how of ["throw", "again"])
    thoroughIt(`with an uncaught error answers its open calls and is replaced: ${how}`, async () => {
      const shared = await world(2, escaping(how));
      const { key } = await shared.account("plenty");
      const service = await startService(shared);
      // On many connections, so that some belong to the one that fails.
      const batches = await Promise.all(Array.from({ length: 12 }, () => startedBatch(service, key)));
      const [pid = 0] = service.workers();
      process.kill(pid, "SIGUSR2");
      await until("it is logged", () => linesOf(service, "uncaught error").length > 0);
      for (const { socket } of batches) socket.write("}");
      await until("all are answered", () =>
        batches.every(({ received }) => received().includes("tokensUsed")),
      );
      const answers = batches.map(({ received }) => parseAnswer(Buffer.from(received())));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(new Set(answers.map(processOf)).size).toBe(2);
      await replaced(service);
      expect(linesOf(service, "uncaught error")).toMatchObject([
        { level: 50, err: { stack: expect.stringMatching(/this escaped.*\n\s+at .*fail/) } },
      ]);
      expect(linesOf(service, RESTARTED)).toMatchObject([{ code: 1, signal: null }]);
      for (const { socket } of batches) socket.destroy();
      expect(await service.end("SIGTERM")).toBe(0);
      expect(service.program.out() + service.program.err()).not.toContain("opz_live_");
      await expectSoundState(shared);
    });

  thoroughIt("that an operator stops by a signal drains and is replaced", async () => {
    const service = await startService(await world(2));
    const [pid = 0] = service.workers();
    process.kill(pid, "SIGTERM");
    await replaced(service);
    expect(linesOf(service, RESTARTED)).toMatchObject([{ code: 0, signal: null }]);
    expect(await service.end("SIGINT")).toBe(0);
  });
});

thoroughIt("workers load a new registry without a failed call", async () => {
  const shared = await world(2);
  const { key } = await shared.account("plenty");
  const service = await startService(shared);
  const agents = await connections(service, 2);
  const added = sourcedFacts(77, { name: "Nieuwkomer Sage B.V." });
  let isDone = false;
  const loaded = load(service, endless({ path: LOOKUP, key }), { connections: 8, onAnswer: () => !isDone });
  await shared.import([added]);
  await until(
    "both serve it",
    () => linesOf(service, "a new registry snapshot is being served").length === 2,
  );
  const found = await Promise.all(
    agents.map((agent) => ask(service, { path: `/v1/lookup/${added.facts.kvkNumber}`, key }, agent)),
  );
  expect(found.map(({ status }) => status)).toEqual([200, 200]);
  isDone = true;
  const { answers, unanswered } = await loaded;
  expect(unanswered).toEqual([]);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect((await ask(service, { path: `/v1/lookup/${UNKNOWN}`, key })).status).toBe(404);
});

thoroughIt("lose no answer and no charge when they are stopped under load", async () => {
  const shared = await world(2);
  const { key, id } = await shared.account("plenty");
  await awayFromMonthEnd();
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
  const { out } = await opzoek(["usage", id, "--json"], shared.environment);
  expect(JSON.parse(out)).toMatchObject({ tokens: { used: answers.length } });
});

thoroughIt("workers announce their end and continue for the configured delay", async () => {
  const service = await startService(await world(2, { DRAIN_DELAY_MS: "3000" }));
  const agents = await connections(service, 2);
  service.program.child.kill("SIGTERM");
  for (const agent of agents) {
    const status = async () => (await ask(service, { path: "/readyz" }, agent)).status;
    await until("it logs that it ends", async () => (await status()) === 503);
  }
  expect((await service.program.ended).code).toBe(0);
});

thoroughDescribe("at the start", () => {
  it("a port belongs to the workers of one service when two start concurrently", async () => {
    const PORT = String(await freePort());
    const worlds = await Promise.all([world(2, { PORT }), world(2, { PORT })]);
    const programs = worlds.map(({ environment }) => startOpzoek(["serve"], environment));
    const started = await Promise.allSettled(programs.map(serviceBy));
    expect(started.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = programs.find((_, nth) => started[nth]?.status === "rejected");
    expect(await refused?.ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`^opzoek: port ${PORT} on 127.0.0.1 is in use: .*\n$`)),
    });
  });

  it("one line explains why workers cannot listen", async () => {
    const first = await startService(await world(2));
    const other = await world(2);
    const { code, err } = await spawnOpzoek(["serve"], { ...other.environment, PORT: String(first.port) });
    expect(code).toBe(1);
    expect(err.trim().split("\n")).toEqual([expect.stringContaining(`port ${first.port}`)]);
  });

  it("SIGTERM ends workers with exit 0 while they are loading", async () => {
    const { environment } = await world(2, escaping("workers are late"));
    const program = startOpzoek(["serve"], environment);
    afterFile(async () => {
      program.child.kill("SIGKILL");
      await program.ended;
    });
    await until("it starts", () => program.out().includes('"starting"'));
    program.child.kill("SIGTERM");
    expect(await program.ended).toMatchObject({ code: 0, err: "" });
  });

  it("the service ends when its workers cannot start again, rather than restart them forever", async () => {
    const shared = await world(2);
    const service = await startService(shared);
    rmSync(shared.environment["TIERS_FILE"] ?? "");
    for (const pid of service.workers()) process.kill(pid, "SIGKILL");
    expect((await service.program.ended).code).toBe(1);
    expect(service.program.err()).toContain("TIERS_FILE must name a readable JSON file");
    expect(linesOf(service, "uncaught error")).toEqual([]);
    expect(linesOf(service, "no worker process can start")).toHaveLength(1);
  });
});
