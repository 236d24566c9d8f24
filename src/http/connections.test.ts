import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { addPendingResponse, closeAfterPending, stateOf } from "./connections.ts";

const asked = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

it("a connection that should end does so with its newest pending response, and later requests do not begin", async () => {
  const begun: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (addPendingResponse(stateOf(request.socket), response)) begun.push(response);
    server.emit(request.url ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const client = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  const said = text(client);
  const [three, four] = [once(server, "/3"), once(server, "/4")];
  client.write(["/1", "/2", "/3"].map(asked).join(""));
  await three;
  for (const response of begun) closeAfterPending(response.req.socket);
  client.write(asked("/4"));
  await four;
  expect(begun).toHaveLength(3);
  for (const response of begun.toReversed()) response.end(response.req.url);
  const answers = (await said).split("HTTP/1.1 200 OK").slice(1);
  expect(answers.map((answer) => [/Connection: .*/i.exec(answer)?.[0], answer.slice(-2)])).toEqual([
    ["Connection: keep-alive", "/1"],
    ["Connection: keep-alive", "/2"],
    ["connection: close", "/3"],
  ]);
});
