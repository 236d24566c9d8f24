import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOCAL_CERTIFICATE, LOCAL_KEY, PRIVATE_ROOT } from "../../test/kit/certificates.ts";
import { serving } from "../../test/kit/server.ts";
import { openPool, type PoolOptions } from "./pool.ts";

const long = () => AbortSignal.timeout(120_000);

function poolOf(more: Partial<PoolOptions> = {}) {
  const pool = openPool({ mostBytes: 1_000, ...more });
  onTestFinished(() => pool.close());
  return pool;
}

/** What a pool makes of one call to a server. */
async function asked(listener: RequestListener, signal = long()) {
  const { url } = await serving(listener);
  return poolOf().ask(url, { signal });
}

describe("a call to an upstream", () => {
  it("gives status, headers and text, whatever the status is; nobody follows a redirection", async () => {
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

  it("says why there is none", async () => {
    expect(await asked((_, response) => response.end("x".repeat(1_001)))).toEqual({ kind: "too-long" });
    expect(await asked((request) => request.socket.resetAndDestroy())).toEqual({ kind: "broken" });
    expect(await asked(() => undefined, AbortSignal.timeout(30))).toEqual({ kind: "timed-out" });
    const { url, stop } = await serving(() => undefined);
    await stop();
    expect(await poolOf().ask(url, { signal: long() })).toEqual({ kind: "refused" });
    const plain = await serving(() => undefined);
    const overTls = plain.url.replace("http:", "https:");
    expect(await poolOf().ask(overTls, { signal: long() })).toEqual({ kind: "refused" });
    const closed = openPool({ mostBytes: 1 });
    await closed.close();
    expect(await closed.ask(url, { signal: long() })).toEqual({ kind: "broken" });
  });

  it("is made again by the next who asks where it could not be made, and a pool closes all the same", async () => {
    const { url } = await serving((_, response) => response.end("here"));
    let failures = 1;
    const unready: PoolOptions = {
      mostBytes: 1_000,
      get extraCertificates() {
        if (failures-- > 0) throw new Error("its files are being replaced");
        return PRIVATE_ROOT;
      },
    };
    const pool = openPool(unready);
    expect(await pool.ask(url, { signal: long() })).toEqual({ kind: "broken" });
    expect(await pool.ask(url, { signal: long() })).toMatchObject({ kind: "response", text: "here" });
    await pool.close();
    failures = 1;
    const closing = openPool(unready);
    const asking = closing.ask(url, { signal: long() });
    await expect(closing.close()).resolves.toBeUndefined();
    expect(await asking).toEqual({ kind: "broken" });
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

  it("is trusted only when it is given", async () => {
    const url = await overTls();
    expect(await poolOf().ask(url, { signal: long() })).toEqual({ kind: "untrusted" });
    const trusting = poolOf({ extraCertificates: PRIVATE_ROOT });
    expect(await trusting.ask(url, { signal: long() })).toMatchObject({ status: 200, text: "private" });
  });
});
