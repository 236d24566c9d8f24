/** SIGTERM, SIGINT and SIGHUP drain: nothing new, what runs is finished, exit 0. */
import { connect } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { jsonOf } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { startService } from "../kit/service.ts";
import { startedBatch } from "../kit/startedBatch.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const ENDS_WITHIN_MS = 10_000;

function refusesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.on("error", () => resolve(true));
  });
}

beforeAll(awayFromMonthEnd);

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s lets a running call finish and be charged, takes no new ones, and exits 0 within 10 s",
  async (signal) => {
    const world = await makeWorld();
    const { key } = await world.account("plenty");
    const service = await startService(world);
    // Opens no debugger.
    service.program.child.kill("SIGUSR1");
    await ask(service, { path: "/v1/usage", key });
    const { socket, said } = await startedBatch(service, key);
    const startedMs = performance.now();
    service.program.child.kill(signal);
    await until("new connections are refused", () => refusesConnections(service.port));
    socket.write("}");
    await until("the running call is answered", () => said().includes("tokensUsed"));
    const answer = parseAnswer(Buffer.from(said()));
    expect(answer.status).toBe(200);
    expect(answer.headers.connection).toBe("close");
    expect(jsonOf(answer)).toMatchObject({ tokensUsed: 1 });
    const answeredMs = performance.now();
    expect(await service.program.ended).toMatchObject({ code: 0, err: "" });
    expect(performance.now() - startedMs).toBeLessThan(ENDS_WITHIN_MS);
    // Not held up by the caller's connection, which stays open on its side.
    expect(performance.now() - answeredMs).toBeLessThan(ENDS_WITHIN_MS / 2);
    expect(service.log().at(-1)).toMatchObject({ msg: "stopped" });

    const again = await startService(world);
    expect(jsonOf(await ask(again, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 1 } });
  },
);

it("ends within 10 s even when a caller never finishes what it began", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  const service = await startService(world);
  const { socket } = await startedBatch(service, key);
  socket.on("error", () => {});
  const startedMs = performance.now();
  expect(await service.end("SIGTERM")).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(ENDS_WITHIN_MS);
});

it("loses no answer and no charge when it is stopped under load", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  const service = await startService(world);
  function* endless() {
    for (;;) yield { path: `/v1/lookup/${BAKERY}`, key };
  }
  const { answers } = await load(service, endless(), {
    connections: 16,
    onAnswer: (answer, count) => {
      if (count === 200) service.program.child.kill("SIGTERM");
      return answer.headers.connection !== "close";
    },
  });
  expect((await service.program.ended).code).toBe(0);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const again = await startService(world);
  const usage = await ask(again, { path: "/v1/usage", key });
  expect(jsonOf(usage)).toMatchObject({ tokens: { used: answers.length } });
});
