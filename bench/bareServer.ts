/** The server that ours is compared with: `node:http` alone, which sends the same response to every call. */
import { createServer } from "node:http";

/** Status, raw headers in turn, and body of a response of ours. */
export interface BareAnswer {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

let answer: BareAnswer = { status: 503, rawHeaders: [], body: "" };
let headers: string[] = [];
let body = Buffer.alloc(0);

const server = createServer((request, response) => {
  const reply = () => {
    response.writeHead(answer.status, headers);
    response.end(body);
  };
  request.resume();
  // A body is received before the response, as our server has to.
  if (request.method === "GET") reply();
  else request.on("end", reply);
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
