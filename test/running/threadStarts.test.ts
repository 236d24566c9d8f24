/** Several threads behind one address start one after the other: what they answer meanwhile, and what becomes of one that cannot. */
import { Agent } from "node:http";
import { expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { ask } from "../kit/client.ts";
import { connections } from "../kit/connections.ts";
import { freePort } from "../kit/freePort.ts";
import { opzoek, spawnOpzoek, startOpzoek } from "../kit/opzoek.ts";
import { serviceBy, startService } from "../kit/service.ts";
import { startedBatch } from "../kit/startedBatch.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const ESCAPE = new URL("../kit/escape.ts", import.meta.url).href;
const escaping = (how: string) => ({ NODE_OPTIONS: `--import=${ESCAPE}`, ESCAPE: how });
const LATE = escaping("the second of requests is late");

const world = (threads: number, environment: Readonly<Record<string, string>> = {}): Promise<World> =>
  makeWorld({ environment: { WORKERS: String(threads), ...environment } });

it("answer as soon as the first listens, and share out what it has when the others do", async () => {
  const port = await freePort();
  const program = startOpzoek(["serve"], (await world(2, { ...LATE, PORT: String(port) })).environment);
  const service = serviceBy(program);
  const connection = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    afterFile(() => agent.destroy());
    return async () => (await ask({ port }, { path: "/livez" }, agent)).headers["connection"];
  };
  const both = [connection(), connection()];
  for (const say of both) {
    await until("the first listens", async () => (await say().catch(() => undefined)) === "keep-alive");
  }
  expect(program.out()).not.toContain('"msg":"listening"');
  // A thread that does not wait for the signal yet does not hear it.
  await until("the second listens", () => {
    program.child.kill("SIGUSR2");
    return program.out().includes('"msg":"listening"');
  });
  const { log, end } = await service;
  expect(log().find(({ msg }) => msg === "listening")).toMatchObject({ threads: 2 });
  // The order to share follows the last thread's word that it listens.
  for (const say of both) await until("it is let go of", async () => (await say()) === "close");
  for (const say of both) expect(await say()).toBe("keep-alive");
  expect(await end("SIGTERM")).toBe(0);
});

it("answer what they have and charge for it when they are told to end while others start", async () => {
  const port = await freePort();
  const shared = await world(2, { ...LATE, PORT: String(port) });
  const { key, id } = await shared.account("plenty");
  const program = startOpzoek(["serve"], shared.environment);
  afterFile(async () => {
    program.child.kill("SIGKILL");
    await program.ended;
  });
  const answers = async () =>
    (await ask({ port }, { path: "/livez" }).catch(() => undefined))?.status === 200;
  await until("the first listens", answers);
  const { socket, said } = await startedBatch({ port }, key);
  program.child.kill("SIGTERM");
  await until("it listens no more", async () => !(await answers()));
  socket.write("}");
  await until("it is answered", () => said().includes("tokensUsed"));
  expect(await program.ended).toMatchObject({ code: 0, err: "" });
  expect(program.out()).not.toContain('"msg":"listening"');
  const { out } = await opzoek(["usage", id, "--json"], shared.environment);
  expect(JSON.parse(out)).toMatchObject({ tokens: { used: 1 } });
});

it("go on when the first ends before the others listen, in whose place another listens", async () => {
  const ends = escaping("the second of requests is late, the first ends");
  const port = await freePort();
  const program = startOpzoek(["serve"], (await world(2, { ...ends, PORT: String(port) })).environment);
  const service = serviceBy(program);
  const answers = async () =>
    (await ask({ port }, { path: "/livez" }).catch(() => undefined))?.status === 200;
  await until("the first listens", answers);
  program.child.kill("SIGUSR2");
  await until("it is replaced", () => program.out().includes("a thread answers calls in the place of one"));
  await until("it answers again", answers);
  expect(program.out()).not.toContain('"msg":"listening"');
  await until("the second listens", () => {
    program.child.kill("SIGUSR2");
    return program.out().includes('"msg":"listening"');
  });
  const running = await service;
  const lost = running
    .log()
    .filter(({ msg }) => msg === "a thread that answers calls is lost and is replaced");
  expect(lost).toMatchObject([{ thread: 1, code: 3 }]);
  await connections(running, 2);
  expect(await running.end("SIGTERM")).toBe(0);
});

it("leave a port to the threads of one service when two are started at once", async () => {
  const PORT = String(await freePort());
  const worlds = await Promise.all([world(2, { PORT }), world(2, { PORT })]);
  const programs = worlds.map(({ environment }) => startOpzoek(["serve"], environment));
  const started = await Promise.allSettled(programs.map(serviceBy));
  expect(started.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = programs.find((_, nth) => started[nth]?.status === "rejected");
  expect(await refused?.ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(new RegExp(`^opzoek: port ${PORT} of 127.0.0.1 is taken: .*\n$`)),
  });
});

it("tell once, and in one line, why they cannot start", async () => {
  const first = await startService(await world(2));
  const other = await world(2);
  const { code, err } = await spawnOpzoek(["serve"], { ...other.environment, PORT: String(first.port) });
  expect(code).toBe(1);
  expect(err.trim().split("\n")).toEqual([expect.stringContaining(`port ${first.port}`)]);
});
