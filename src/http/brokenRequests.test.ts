import { once } from "node:events";
import { createServer, type ServerOptions, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { brokenRequestAnswerer } from "./brokenRequests.ts";
import { addPendingResponse, removePendingResponse, stateOf } from "./connections.ts";

const WITHIN_MS = 15_000;
const WHOLE = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
const HALF = "GET / HTTP/1.1\r\nhos";
const BROKEN = "@@@\r\n\r\n";

/** A connection to a server that records every response, like the app does. */
async function start(answer: (response: ServerResponse) => void, limits: ServerOptions = {}) {
  const seen = { counted: 0 };
  const server = createServer(limits, (request, response) => {
    const memory = stateOf(request.socket);
    addPendingResponse(memory, response);
    response.on("close", () => removePendingResponse(memory, response));
    answer(response);
  });
  const refuse = brokenRequestAnswerer({ newRequestId: () => "r-1", count: () => seen.counted++ });
  server.on("clientError", (error, socket) => {
    refuse(error, socket as Socket);
    server.emit("answered");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: "127.0.0.1", port });
  client.on("error", () => {});
  const [socket] = (await once(server, "connection")) as [Socket];
  return { seen, server, client, socket };
}

/** Everything that a server sends until it closes. */
async function saidTo(client: Socket): Promise<string> {
  let said = "";
  client.on("data", (part) => {
    said += String(part);
  });
  await once(client, "close");
  return said;
}

it.each([
  [1, "a reset within the first header", HALF],
  [0, "a reset before anything was sent, as by a port scan", ""],
  [0, "a reset of an idle connection after a whole request", WHOLE],
  [1, "bytes that are not HTTP", "BREW / HTTP/1.1\r\n\r\n"],
])("counts %i for %s", async (times, _what, sent) => {
  const { seen, client, socket } = await start((response) => response.end());
  const closed = new Promise((resolve) => socket.once("close", resolve));
  client.write(sent);
  await vi.waitUntil(() => socket.bytesRead >= sent.length, { timeout: WITHIN_MS });
  client.resetAndDestroy();
  await closed;
  expect(seen.counted).toBe(times);
});

const SOON = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 };

it("closes a connection that sent nothing without a response, which a proxy would mistake for the one to its next request", async () => {
  const { seen, client } = await start((response) => response.end(), SOON);
  expect(await saidTo(client)).toBe("");
  expect(seen.counted).toBe(0);
});

it("answers a request that is not complete in time", async () => {
  const { seen, client } = await start((response) => response.end(), SOON);
  client.write(HALF);
  expect(await saidTo(client)).toMatch(/^HTTP\/1\.1 400 .*send all of it within/s);
  expect(seen.counted).toBe(1);
});

it.each([
  ["/v1/autocomplete?q=café", "percent-encode all non-ASCII characters of a URL as UTF-8 (é is %C3%A9)"],
  ["/v1/autocomplete/café", "percent-encode"],
  ["/v1/autocomplete?q=\u0001", "percent-encode"],
  ["/v1/autocomplete?q=Bakkerij De Gouden Korenaar", "spaces in a URL as %20"],
  ["/v1/validate/vat/DE 136 695 976", "spaces in a URL as %20"],
])("explains the error in the URL %s", async (url, says) => {
  const { client } = await start((response) => response.end());
  client.write(`GET ${url} HTTP/1.1\r\nhost: x\r\n\r\n`);
  const said = await saidTo(client);
  expect(said).toMatch(/^HTTP\/1\.1 400 /);
  expect(said).toContain(says);
});

describe("a response that has begun", () => {
  const PARTS = ["one, ", "two"];

  it.each([
    ["broken bytes follow its request", WHOLE + BROKEN, true],
    [
      "its own request is broken, because a second response would be taken for that to the next one",
      "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
      false,
    ],
    [
      "its client asks to close the connection",
      WHOLE.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n") + BROKEN,
      false,
    ],
  ])("is sent completely if %s", async (_what, sent, isTold) => {
    const begun = Promise.withResolvers<ServerResponse>();
    const { seen, server, client } = await start((response) => {
      response.writeHead(200, { "content-length": PARTS.join("").length });
      response.write(PARTS[0]);
      begun.resolve(response);
    });
    const answered = once(server, "answered");
    const said = saidTo(client);
    client.write(sent);
    await answered;
    (await begun.promise).end(PARTS[1]);
    const [, body = "", refusal] = (await said)
      .split("HTTP/1.1 ")
      .map((answer) => answer.split("\r\n\r\n")[1]);
    expect(body).toBe(PARTS.join(""));
    expect(refusal !== undefined).toBe(isTold);
    expect(seen.counted).toBe(1);
  });
});

it("discards what follows broken bytes until the client has closed its side", async () => {
  const { seen, server, client } = await start((response) => response.end());
  const said = saidTo(client);
  client.write(BROKEN);
  await once(server, "answered");
  client.write(BROKEN);
  expect(await said).toMatch(/^HTTP\/1.1 400 Bad Request\r\n.*INVALID_REQUEST/s);
  expect(seen.counted).toBe(1);
});

it("resets a client that does not read its pending responses, so that it notices", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, client, socket } = await start((response) => response.write("for ever"));
  const answered = once(server, "answered");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const failed = once(client, "error");
  client.write(WHOLE + BROKEN);
  await answered;
  vi.runOnlyPendingTimers();
  await closed;
  client.resume();
  expect(await failed).toMatchObject([{ code: "ECONNRESET" }]);
});
