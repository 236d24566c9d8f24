/**
 * The measure to compare with: a `node:http` server that does nothing but send bytes. It runs in its own process,
 * is sent an answer of ours once and gives it to every call; nothing of Opzoek is loaded.
 */
import { createServer } from "node:http";
import type { BareAnswer } from "./copy.ts";

let answer: BareAnswer = { status: 503, rawHeaders: [], body: "" };
let headers: string[] = [];
let body = Buffer.alloc(0);

const server = createServer((request, response) => {
  // A body must be taken in before the answer, as our server has to; without one this is over at once.
  request.resume();
  if (request.method === "GET") {
    response.writeHead(answer.status, headers);
    response.end(body);
    return;
  }
  request.on("end", () => {
    response.writeHead(answer.status, headers);
    response.end(body);
  });
});

process.on("message", (message: BareAnswer) => {
  answer = message;
  headers = [...message.rawHeaders];
  body = Buffer.from(message.body);
  process.send?.({ ready: true });
});
process.on("disconnect", () => process.exit(0));

server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : undefined });
});
