/** Clients that keep as many connections open as they can: one address leaves room for others. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { listen } from "../../src/http/server.ts";
import { afterFile } from "../kit/afterFile.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { connectionsTo } from "../kit/unreadClient.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const { perAddress } = POOLS.connections;
const BEYOND = 5;

async function start(environment: Readonly<Record<string, string>> = {}) {
  const { app } = await composeInProcess(await makeWorld({ companies: [], environment }));
  const port = Number(new URL(await listen(app, "127.0.0.1", 0)).port);
  return { port, ...connectionsTo(app) };
}

async function open(port: number, localAddress: string) {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  afterFile(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

it("one address has its share of connections, and regains one for each it closes; another address gets through", async () => {
  const { port, open: opened, all } = await start();
  const sockets = await Promise.all(
    Array.from({ length: perAddress + BEYOND }, () => open(port, "127.0.0.1")),
  );
  await until(
    "those beyond the share are closed",
    () => all.length === perAddress + BEYOND && opened.size === perAddress,
  );
  const other = await open(port, "127.0.0.2");
  other.write("GET /livez HTTP/1.1\r\nhost: x\r\n\r\n");
  const [received] = await once(other, "data");
  expect(String(received)).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of sockets) socket.destroy();
  await until("its connections are closed", () => opened.size === 1);
  await open(port, "127.0.0.1");
  await until("it has another connection", () => opened.size === 2);
});

it("a trusted proxy has no limit: all clients come through it", async () => {
  const { port, open: opened } = await start({ TRUST_PROXY: "127.0.0.1" });
  await Promise.all(Array.from({ length: perAddress + BEYOND }, () => open(port, "127.0.0.1")));
  await until("all are open", () => opened.size === perAddress + BEYOND);
});
