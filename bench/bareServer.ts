/** The server to compare with, in its own thread: plain `node:http` that sends the same response to every GET. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";

/** Status, headers as name and value in turn, and body of one of our responses. */
export interface BareResponse {
  readonly status: number;
  readonly rawHeaders: string[];
  readonly body: string;
}

let current: BareResponse = { status: 503, rawHeaders: [], body: "" };
let body = Buffer.alloc(0);

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(current.status, current.rawHeaders);
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

// Each message is confirmed with the port.
parentPort?.on("message", (message: BareResponse) => {
  current = message;
  body = Buffer.from(message.body);
  parentPort?.postMessage(port);
});
