import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { afterFile } from "./afterFile.ts";
import { freePort } from "./freePort.ts";

/** A server on a free port, closed with all its connections after the test. */
export async function serving(listener: RequestListener) {
  const { server, port, stop } = await started(listener);
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  onTestFinished(stop);
  return { url: `http://127.0.0.1:${port}/base`, stop, connections: () => connections };
}

/** @returns the port of a server on 127.0.0.1, closed with all its connections after the file's tests */
export async function servingPort(listener: RequestListener): Promise<number> {
  const { port, stop } = await started(listener);
  afterFile(stop);
  return port;
}

async function started(listener: RequestListener) {
  const server = createServer(listener);
  // A client of a stopped server must not reach another one.
  server.listen(await freePort(), "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { server, stop, port: (server.address() as AddressInfo).port };
}
