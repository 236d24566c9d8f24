import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import * as zlib from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOCAL_CERTIFICATE, LOCAL_KEY, PRIVATE_ROOT } from "../../test/kit/certificates.ts";
import { serving } from "../../test/kit/server.ts";
import { type HttpPoolOptions, openHttpPool } from "./pool.ts";

const long = () => AbortSignal.timeout(120_000);

function poolOf(more: Partial<HttpPoolOptions> = {}) {
  const pool = openHttpPool({ maxBytes: 1_000, ...more });
  onTestFinished(() => pool.close());
  return pool;
}

/** The result of one call to a server. */
async function asked(listener: RequestListener, signal = long()) {
  const { url } = await serving(listener);
  return poolOf().ask(url, { signal });
}

describe("a call to an upstream", () => {
  it("returns status, headers and text for any status, and follows no redirects", async () => {
    const listener: RequestListener = (request, response) => {
      response.setHeader("X-Twice", ["one", "two"]);
      response.writeHead(307, { location: "/elsewhere", "Content-Type": "text/plain" });
      response.end(`${request.method} ${request.headers["x-mine"]}`);
    };
    const { url } = await serving(listener);
    expect(await poolOf().ask(url, { headers: { "x-mine": "1" }, signal: long() })).toMatchObject({
      kind: "response",
      status: 307,
      headers: { "content-type": "text/plain", "x-twice": "one" },
      text: "GET 1",
    });
  });

  it("returns the reason for a failure", async () => {
    expect(await asked((_, response) => response.end("x".repeat(1_001)))).toEqual({ kind: "too-long" });
    expect(await asked((request) => request.socket.resetAndDestroy())).toEqual({ kind: "broken" });
    expect(await asked(() => undefined, AbortSignal.timeout(30))).toEqual({ kind: "timed-out" });
    const { url, stop } = await serving(() => undefined);
    await stop();
    expect(await poolOf().ask(url, { signal: long() })).toEqual({ kind: "refused" });
    const plain = await serving(() => undefined);
    const overTls = plain.url.replace("http:", "https:");
    expect(await poolOf().ask(overTls, { signal: long() })).toEqual({ kind: "refused" });
    const closed = openHttpPool({ maxBytes: 1 });
    await closed.close();
    expect(await closed.ask(url, { signal: long() })).toEqual({ kind: "broken" });
  });
});

describe("an unrequested compressed response", () => {
  const TEXT = JSON.stringify({ name: "Café Fabel", filler: "é".repeat(200) });
  const plain = Buffer.from(TEXT);
  const FAST = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };

  const encoded = (coding: string | string[], body: Buffer): RequestListener => {
    return (_, response) => response.setHeader("content-encoding", coding).end(body);
  };

  it.each([
    ["gzip", zlib.gzipSync(plain)],
    ["GZip", zlib.gzipSync(plain)],
    ["x-gzip", zlib.gzipSync(plain)],
    ["deflate", zlib.deflateSync(plain)],
    ["deflate", zlib.deflateRawSync(plain)],
    ["br", zlib.brotliCompressSync(plain)],
    ["zstd", zlib.zstdCompressSync(plain)],
    ["identity", plain],
    ["", plain],
    ["gzip, identity", zlib.gzipSync(plain)],
    ["deflate, gzip", zlib.gzipSync(zlib.deflateSync(plain))],
    [["br", "gzip"], zlib.gzipSync(zlib.brotliCompressSync(plain))],
    // A proxy has decompressed it and kept the header.
    ["gzip", plain],
  ])("is decoded from %j", async (coding, body) => {
    expect(await asked(encoded(coding, body))).toMatchObject({ status: 200, text: TEXT });
  });

  it("is decoded with any status, and if it is empty", async () => {
    const failing: RequestListener = (_, response) => {
      response.writeHead(503, { "content-encoding": "gzip" }).end(zlib.gzipSync(plain));
    };
    expect(await asked(failing)).toMatchObject({ status: 503, text: TEXT });
    expect(await asked(encoded("gzip", Buffer.alloc(0)))).toMatchObject({ status: 200, text: "" });
  });

  it.each([
    ["gzip", zlib.gzipSync],
    ["br", (bytes: Buffer) => zlib.brotliCompressSync(bytes, FAST)],
    ["zstd", (bytes: Buffer) => zlib.zstdCompressSync(bytes)],
    ["gzip, gzip", (bytes: Buffer) => zlib.gzipSync(zlib.gzipSync(bytes))],
  ] as const)("is too long when more bytes come out than are read at most: %s", async (coding, encode) => {
    const right = encoded(coding, encode(Buffer.alloc(1_000, "x")));
    expect(await asked(right)).toMatchObject({ text: "x".repeat(1_000) });
    expect(await asked(encoded(coding, encode(Buffer.alloc(1_001, "x"))))).toEqual({ kind: "too-long" });
    const bomb = encode(Buffer.alloc(20_000_000, "x"));
    expect(bomb.length).toBeLessThan(30_000);
    const { url } = await serving(encoded(coding, bomb));
    expect(await poolOf({ maxBytes: 30_000 }).ask(url, { signal: long() })).toEqual({ kind: "too-long" });
  });

  it("is returned unchanged if it is truncated or has an unknown coding or too many codings", async () => {
    const cut = zlib.gzipSync(plain).subarray(0, 30);
    for (const [coding, body] of [
      ["gzip", cut],
      ["compress", cut],
      ["gzip, gzip, gzip, gzip", zlib.gzipSync(plain)],
    ] as const) {
      expect(await asked(encoded(coding, body))).toMatchObject({ status: 200, text: body.toString() });
    }
  });
});

describe("an unrequested interim response", () => {
  /** The result of a pool for these bytes, sent at once or one by one. */
  async function askedRaw(...pieces: readonly string[]) {
    const server = createTcpServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", async () => {
        for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
      });
      onTestFinished(() => void socket.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return poolOf().ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { signal: long() });
  }

  const FINAL = "HTTP/1.1 200 OK\r\nX-Mine: 1\r\nContent-Length: 4\r\n\r\nhere";
  it.each([
    ["100", ["HTTP/1.1 100 Continue\r\n\r\n", FINAL]],
    ["100 in the same piece", [`HTTP/1.1 100 Continue\r\n\r\n${FINAL}`]],
    [
      "100 twice, with headers, cut anywhere",
      ["HTTP/1.1 100\r", "\nX-Mine: 0\r\n\r", `\nHTTP/1.1 100 Go\r\n\r\n${FINAL}`],
    ],
    ["102", ["HTTP/1.1 102 Processing\r\n\r\n", FINAL]],
    ["103", ["HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n", FINAL]],
  ])("is skipped: %s", async (_, pieces) => {
    expect(await askedRaw(...pieces)).toMatchObject({
      kind: "response",
      status: 200,
      headers: { "x-mine": "1" },
      text: "here",
    });
  });

  it("that switches protocols is a failure", async () => {
    const upgrade = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n";
    expect(await askedRaw(upgrade)).toEqual({ kind: "broken" });
  });
});

describe("a private root", () => {
  async function overTls() {
    const server = createServer({ cert: LOCAL_CERTIFICATE, key: LOCAL_KEY }, (_, response) => {
      response.end("private");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
    });
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it("is trusted only if configured", async () => {
    const url = await overTls();
    expect(await poolOf().ask(url, { signal: long() })).toEqual({ kind: "untrusted" });
    const trusting = poolOf({ extraCertificates: PRIVATE_ROOT });
    expect(await trusting.ask(url, { signal: long() })).toMatchObject({ status: 200, text: "private" });
  });
});
