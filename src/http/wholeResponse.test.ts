import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOf } from "./headLines.ts";
import { LIMITS } from "./limits.ts";
import { sendWhole, WholeResponse } from "./wholeResponse.ts";

const HEADERS = {
  "x-always": "the same",
  "content-type": "application/json",
  "x-number": 12,
  "x-text": "a: b",
};
const ASCII = '{"name":"plain"}';
const BEYOND = '{"name":"Crème & Zoöm 🍞"}';

/** The same answer as Node.js writes it by itself. */
function sendPlainly(raw: ServerResponse, body: string): void {
  raw.writeHead(200, { ...HEADERS, "content-length": Buffer.byteLength(body) });
  raw.end(body);
}

describe("an answer that is sent whole", () => {
  let taken: boolean | undefined;
  const server = createServer(
    { ServerResponse: WholeResponse, keepAliveTimeout: LIMITS.keepAliveTimeout },
    (request, raw) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
      const body = searchParams.has("beyond") ? BEYOND : ASCII;
      if (searchParams.has("draining")) raw.setHeader("connection", "close");
      if (pathname === "/plain") return sendPlainly(raw, body);
      const { takeHead } = raw;
      raw.takeHead = (lines) => {
        taken = takeHead.call(raw, lines);
        return taken;
      };
      sendWhole({ raw }, linesOf(HEADERS), body);
    },
  );
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  async function bytesOf(head: string): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    // The end of what is asked ends the connection, once all was answered.
    socket.end(`${head}\r\n\r\n`);
    const answer = await text(socket);
    return answer.replace(/^Date: .*$/gm, (line) =>
      Number.isNaN(Date.parse(line.slice(6))) ? line : "Date: ok",
    );
  }

  it.each([
    ["a connection that stays open", "GET {} HTTP/1.1\r\nHost: a", true],
    ["letters beyond ASCII", "GET {}?beyond HTTP/1.1\r\nHost: a", true],
    ["two requests at once", "GET {} HTTP/1.1\r\nHost: a\r\n\r\nGET {}?beyond HTTP/1.1\r\nHost: a", true],
    ["a client that wants it closed", "GET {} HTTP/1.1\r\nHost: a\r\nConnection: close", false],
    ["HTTP/1.0", "GET {} HTTP/1.0", false],
    ["HTTP/1.0 that keeps alive", "GET {} HTTP/1.0\r\nConnection: keep-alive", true],
    ["HEAD", "HEAD {} HTTP/1.1\r\nHost: a", false],
    ["HEAD of letters beyond ASCII", "HEAD {}?beyond HTTP/1.1\r\nHost: a", false],
    ["a service that drains", "GET {}?draining HTTP/1.1\r\nHost: a", false],
    ["a client that waits for 100", "GET {} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue", false],
  ])("is what Node.js writes by itself: %s", async (_, head, isTaken) => {
    taken = undefined;
    const whole = await bytesOf(head.replaceAll("{}", "/whole"));
    expect(taken).toBe(isTaken);
    expect(whole).toBe(await bytesOf(head.replaceAll("{}", "/plain")));
    expect(whole).toContain("HTTP/1.1 200 OK\r\n");
    expect(whole).toContain("Date: ok\r\n");
  });
});
