/**
 * After `kill -9` between a charge and its response, the repeated call gets the response free of charge; on either
 * store.
 */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { numberIn, type TestRequest } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY, FERRY, PLAIN } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { requestBytes } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { amount, variants } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { validationOf } from "../kit/vat.ts";
import { fictionalRsins, REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld } from "../kit/world.ts";

const KILLS = amount({ ordinary: 1, thorough: 3 });
const CONNECTIONS = 32;
const AT_ONCE = 40;

const embedded: [string, () => Promise<Record<string, string>>] = [
  "one data folder, whose service restarts",
  async () => ({}),
];
const nodes: typeof embedded = [
  "a database with another node, each with two workers",
  async () => ({
    DATABASE_URL: await (await sharedPostgres()).newDatabase("repeated_killed"),
    WORKERS: "2",
  }),
];
const stores = variants([embedded, nodes], { ordinary: 1 });

describe.each(stores)("on %s", (_name, environmentOf) => {
  it("concurrent copies of a call are charged once, and each call once over kills under load", async () => {
    const vies = await startVies({ companyOf: () => REGISTERED });
    const database = await environmentOf();
    const environment = { ...database, VIES_URL: vies.url, VIES_DEADLINE_MS: "30000" };
    const world = await makeWorld({ environment });
    const { key } = await world.account("plenty");
    await awayFromMonthEnd();
    const isShared = "DATABASE_URL" in database;
    let service = await startService(world);
    let other: Service = isShared ? await startService(world) : service;
    const used = () => usedTokens(other, key);
    const known = (request: TestRequest, idempotencyKey: string): TestRequest => ({
      ...request,
      key,
      headers: { "idempotency-key": idempotencyKey },
    });

    const same = known({ path: `/v1/lookup/${BAKERY}/branches` }, "same");
    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => ask(index % 2 === 0 ? service : other, same)),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await used()).toBe(5);

    const [rsin = ""] = fictionalRsins(1);
    const slow = known({ path: validationOf(`NL${rsin}B01`) }, "slow");
    vies.setFault("NL", { kind: "hang" });
    const first = ask(service, slow);
    await until("VIES is queried", () => vies.counts.states.NL?.inFlight === 1);
    const conflict = await ask(other, slow);
    expectError(conflict, "CONFLICT");
    expect(numberIn(conflict, "retry-after")).toBeGreaterThan(0);
    expect(
      (await ask(other, known({ path: `/v1/lookup/${FERRY}` }, "slow"))).headers["retry-after"],
    ).toBeUndefined();
    vies.clearFaults();
    expect(await first).toMatchObject({ status: 200, headers: { "x-tokens-charged": "1" } });
    expect(numberIn(await ask(service, slow), "x-tokens-charged")).toBe(0);
    expect(await used()).toBe(6);

    const hungUp = known({ path: `/v1/lookup/${FERRY}` }, "hung up");
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${key}`, "idempotency-key": '"hung up"' };
      const socket = connect({ port: service.port, host: "127.0.0.1" });
      socket.on("error", () => {});
      socket.on("close", () => resolve());
      socket.end(requestBytes(`GET /v1/lookup/${FERRY}`, headers), () => socket.destroy());
    });
    await until("it is charged", async () => (await used()) === 7);
    expect(
      numberIn(
        await ask(other, { ...hungUp, headers: { "idempotency-key": '"hung up"' } }),
        "x-tokens-charged",
      ),
    ).toBe(0);

    let expected = 7;
    for (let kill = 0; kill < KILLS; kill++) {
      const requests: TestRequest[] = [];
      const calls = function* (): Generator<TestRequest> {
        for (let index = 0; ; index++) {
          const [one, more] = [PLAIN[index % 100] ?? "", PLAIN.slice(index % 100, (index % 100) + 20)];
          const call =
            index % 4 === 0
              ? { method: "POST", path: "/v1/lookup/batch", body: { kvkNumbers: more } }
              : { path: `/v1/lookup/${one}` };
          expected += index % 4 === 0 ? more.length : 1;
          const next = known(call, `${kill}-${index}`);
          requests.push(next);
          yield next;
        }
      };
      const running = service;
      const { answers } = await load(running, calls(), {
        connections: CONNECTIONS,
        onAnswer: (_answer, count) => {
          if (count === 60 + 31 * kill) running.program.child.kill("SIGKILL");
          return true;
        },
      });
      await running.program.ended;
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      service = await startService(world);
      if (!isShared) other = service;
      const again = await load(other, requests, { connections: CONNECTIONS });
      expect(again.answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(again.answers).toHaveLength(requests.length);
      expect(await used()).toBe(expected);
    }
    expect(await service.end("SIGTERM")).toBe(0);
    if (isShared) expect(await other.end("SIGTERM")).toBe(0);
    await expectSoundState(world);
  });
});
