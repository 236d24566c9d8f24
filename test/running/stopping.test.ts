/**
 * SIGTERM, SIGINT and SIGHUP drain: no new work, running work is finished, exit 0. Also during the start, and in a
 * container.
 */
import { connect, createServer } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { processNamespace, startAsFirst } from "../kit/firstProcess.ts";
import { describeWith } from "../kit/needs.ts";
import { startOpzoek } from "../kit/opzoek.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { startService } from "../kit/service.ts";
import { startedBatch } from "../kit/startedBatch.ts";
import { thoroughIt, variants } from "../kit/thorough.ts";
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

it.each(variants(["SIGTERM", "SIGINT", "SIGHUP"] as const, { ordinary: 1 }))(
  "%s lets a running call finish and be charged, accepts no new ones, and exits with 0 within 10 s",
  async (signal) => {
    const world = await makeWorld();
    const { key } = await world.account("plenty");
    const service = await startService(world);
    // Does not open a debugger.
    service.program.child.kill("SIGUSR1");
    await ask(service, { path: "/v1/usage", key });
    const { socket, received } = await startedBatch(service, key);
    const startedMs = performance.now();
    service.program.child.kill(signal);
    await until("new connections are refused", () => refusesConnections(service.port));
    socket.write("}");
    await until("the running call is answered", () => received().includes("tokensUsed"));
    const answer = parseAnswer(Buffer.from(received()));
    expect(answer.status).toBe(200);
    expect(answer.headers.connection).toBe("close");
    expect(jsonOf(answer)).toMatchObject({ tokensUsed: 1 });
    const answeredMs = performance.now();
    expect(await service.program.ended).toMatchObject({ code: 0, err: "" });
    expect(performance.now() - startedMs).toBeLessThan(ENDS_WITHIN_MS);
    // Not delayed by the caller's connection, which stays open on its side.
    expect(performance.now() - answeredMs).toBeLessThan(ENDS_WITHIN_MS / 2);
    expect(service.log().at(-1)).toMatchObject({ msg: "stopped" });

    const again = await startService(world);
    expect(jsonOf(await ask(again, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 1 } });
  },
);

thoroughIt("a service ends within 10 s even if a caller never finishes its request", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  const service = await startService(world);
  const { socket } = await startedBatch(service, key);
  socket.on("error", () => {});
  const startedMs = performance.now();
  expect(await service.end("SIGTERM")).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(ENDS_WITHIN_MS);
});

it("a service stopped under load loses no response and no charge", async () => {
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

/** Accepts connections and never responds. @returns its port, and whether it has a connection */
async function silentServer(): Promise<{ readonly port: number; hasConnection(): boolean }> {
  let connectionCount = 0;
  const server = createServer((socket) => {
    connectionCount += 1;
    socket.on("error", () => {});
    afterFile(() => socket.destroy());
  });
  afterFile(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    hasConnection: () => connectionCount > 0,
  };
}

it.each(variants(["1", "2"], { ordinary: 1 }))(
  "SIGTERM ends a service of %s processes that waits for its database at the start, at once and with exit 0",
  async (WORKERS) => {
    const database = await silentServer();
    const DATABASE_URL = `postgres://opzoek@127.0.0.1:${database.port}/opzoek`;
    const world = await makeWorld({ environment: { WORKERS } });
    const program = startOpzoek(["serve"], { ...world.environment, DATABASE_URL });
    await until("it connects to its database", () => database.hasConnection());
    const sentMs = performance.now();
    program.child.kill("SIGTERM");
    expect(await program.ended).toMatchObject({ code: 0, err: "" });
    // Sooner than the database timeout.
    expect(performance.now() - sentMs).toBeLessThan(ENDS_WITHIN_MS / 2);
  },
);

thoroughIt("SIGTERM ends a service before it has checked whether its state is the demo's", async () => {
  const database = await silentServer();
  const DATABASE_URL = `postgres://opzoek@127.0.0.1:${database.port}/opzoek`;
  const world = await makeWorld({ environment: { HOST: "0.0.0.0" } });
  const program = startOpzoek(["serve"], { ...world.environment, DATABASE_URL });
  await until("it connects to its database", () => database.hasConnection());
  program.child.kill("SIGTERM");
  expect(await program.ended).toMatchObject({ code: 0, out: "", err: "" });
});

describeWith(processNamespace, "the first process of a container", () => {
  it.each(
    variants(
      [
        ["SIGTERM", 143],
        ["SIGINT", 130],
        ["SIGHUP", 129],
      ] as const,
      { ordinary: 1 },
    ),
  )("is ended by %s during any command, with exit code %d", async (signal, code) => {
    const service = await silentServer();
    const world = await makeWorld({ companies: [] });
    const asking = await startAsFirst(["lookup", BAKERY], {
      ...world.environment,
      OPZOEK_URL: `http://127.0.0.1:${service.port}`,
      OPZOEK_KEY: "opz_live_0123456789abcdefghijABCDEFGHIJ012345",
    });
    await until("it connects", () => service.hasConnection());
    asking.signal(signal);
    expect(await asking.ended).toMatchObject({ code, err: "" });
  });

  it("ends a service on SIGTERM with exit 0, and at once on a second one", async () => {
    const world = await makeWorld({ environment: { DRAIN_DELAY_MS: "60000" } });
    const patient = await startAsFirst(["serve"], world.environment);
    await until("it listens", () => patient.out().includes('"listening"'));
    const { address } = lineOf(patient.out(), "listening");
    const port = Number(new URL(String(address)).port);
    patient.signal("SIGTERM");
    await until(
      "it logs that it ends",
      async () => (await ask({ port }, { path: "/readyz" })).status === 503,
    );
    patient.signal("SIGTERM");
    expect((await patient.ended).code).toBe(143);
    const soon = await startAsFirst(["serve"], { ...world.environment, DRAIN_DELAY_MS: "0" });
    await until("it logs that it starts", () => soon.out().includes('"starting"'));
    soon.signal("SIGTERM");
    expect(await soon.ended).toMatchObject({ code: 0, err: "" });
  });
});

function lineOf(out: string, msg: string): Record<string, unknown> {
  const lines = out.split("\n").filter((line) => line.startsWith("{"));
  const found = lines.find((line) => line.includes(`"msg":"${msg}"`));
  return JSON.parse(found ?? "{}") as Record<string, unknown>;
}
