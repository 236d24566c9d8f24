import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { viesOverHttp } from "./upstream.ts";

/** A server on a free port that is gone with all its connections when the test ends. */
export async function serving(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  onTestFinished(stop);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  return { url, stop, connections: () => connections };
}

/** The client's side of it, closed when the test ends. */
export function upstreamAt(url: string) {
  const upstream = viesOverHttp(url);
  onTestFinished(() => upstream.close());
  return upstream;
}

/** Answers a request as VIES would: the number is registered. */
export const yes: RequestListener = async (request, response) => {
  const asked = JSON.parse(await text(request)) as object;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ ...asked, ...YES }));
};

export const YES = { requestDate: "2026-10-03T21:02:05.698Z", valid: true, name: "---", address: "---" };
