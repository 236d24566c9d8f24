/** The guarantees of every proxy in `deploy`. */
import { connect } from "node:http2";
import { request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { beforeAll, expect, it } from "vitest";
import { JOB_BOUNDS } from "../../src/contract/jobs.ts";
import { MATCH_BOUNDS } from "../../src/contract/matchResources.ts";
import { BODY_TIMES } from "../../src/http/limits.ts";
import { READY_PATH } from "../../src/http/probes.ts";
import { PRIVATE_ROOT } from "../kit/certificates.ts";
import { BAKERY } from "../kit/companies.ts";
import { freePort } from "../kit/freePort.ts";
import { servingPort } from "../kit/server.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { thoroughIt } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { type RunningProxy, requestTls, sendTls } from "./proxy.ts";
import { LISTS, MATCH, PAGE_LISTS, Upstream } from "./upstream.ts";

/** Starts the proxy in front of nodes at these addresses, `127.0.0.1:8080`. */
export type StartProxy = (nodes: readonly string[]) => Promise<RunningProxy>;

const SECRET = "opz_live_Xk3SecretKeyThatNobodyMayRead000000";
const VAT_NUMBER = "NL123456782B01";
/** Both ways to send a key, and a number that could identify a citizen. */
const CALL = {
  path: `/v1/validate/vat/${VAT_NUMBER}?apikey=${SECRET}`,
  key: SECRET,
  headers: { referer: `https://localhost/?apikey=${SECRET}` },
};

/** Expects a response of the proxy itself: JSON in the form of every error. */
function expectError(answer: { status: number; text: string }, status: number, code: string): void {
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    status,
    { error: { code, message: expect.any(String) } },
  ]);
}

/** Pieces of a list, which together take several times as long as another request may. */
const SLOW_PIECES = 4;

export function proxySuite(startOne: StartProxy, startTwo: StartProxy): void {
  const upstream = new Upstream();
  let upstreamPort = 0;
  let proxy: RunningProxy;
  beforeAll(async () => {
    // A port that stays free while the upstream is down.
    upstreamPort = await freePort();
    await upstream.listen(upstreamPort);
    proxy = await startOne([`127.0.0.1:${upstreamPort}`]);
  });

  it("forwards the client's address and the TLS scheme, ignores the client's own claims, and reuses connections", async () => {
    const lies = { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "http" };
    const before = upstream.connections;
    const calls = 40;
    for (let count = 0; count < calls; count++) {
      const { status } = await requestTls(proxy.port, { path: "/v1/health", headers: lies });
      expect(status).toBe(200);
      // A proxy may check the health of the service at any moment.
      const last = upstream.seen.findLast((headers) => !/^Go-http-client/.test(headers["user-agent"] ?? ""));
      expect(last).toMatchObject({
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-proto": "https",
      });
    }
    // One connection for each worker of the proxy is acceptable.
    expect(upstream.connections - before).toBeLessThan(calls / 2);
  });

  it("speaks HTTP/2", async () => {
    const session = connect(`https://localhost:${proxy.port}`, { ca: PRIVATE_ROOT });
    const status = await new Promise((resolve, reject) => {
      session.on("error", reject);
      const stream = session.request({ ":path": "/v1/health" });
      stream.on("response", (headers) => resolve(headers[":status"]));
      stream.resume();
    });
    session.close();
    expect(status).toBe(200);
  });

  it("redirects plain HTTP to https, except for requests with a key", async () => {
    const plain = (path: string) =>
      fetch(`http://127.0.0.1:${proxy.plainPort}${path}`, {
        redirect: "manual",
        headers: { host: "registry.example.com" },
      });
    for (const path of [CALL.path, "/mcp", LISTS]) {
      const call = await plain(path);
      expectError({ status: call.status, text: await call.text() }, 403, "FORBIDDEN");
    }
    const page = await plain("/docs/");
    expect([301, 308]).toContain(page.status);
    expect(page.headers.get("location")).toMatch(/^https:\/\//);
  });

  it("answers its own errors in the service's format, and passes the service's errors on unchanged", async () => {
    expect(await requestTls(proxy.port, { path: "/upstream-error" })).toMatchObject({
      status: 502,
      text: '{"error":{"code":"UPSTREAM_ERROR"}}',
    });
    const hungUp = await requestTls(proxy.port, {
      method: "POST",
      path: `/hang-up?apikey=${SECRET}`,
      body: "{}",
    });
    expectError(hungUp, 503, "SERVICE_UNAVAILABLE");
    const large = await requestTls(proxy.port, {
      method: "POST",
      path: CALL.path,
      body: "x".repeat(200_000),
    });
    expectError(large, 413, "PAYLOAD_TOO_LARGE");
    await upstream.close();
    const away = await requestTls(proxy.port, CALL);
    expectError(away, 503, "SERVICE_UNAVAILABLE");
    expect(away.headers).toMatchObject({
      "retry-after": expect.stringMatching(/^[0-9]+$/),
      "cache-control": "no-store",
      "content-type": expect.stringMatching(/^application\/json/),
      "access-control-allow-origin": "*",
    });
    await upstream.listen(upstreamPort);
    expect((await requestTls(proxy.port, { path: "/v1/health" })).status).toBe(200);
  });

  it("passes the largest match call on to the service", async () => {
    const body = "x".repeat(MATCH_BOUNDS.maxBytes);
    expect((await requestTls(proxy.port, { method: "POST", path: MATCH, body })).status).toBe(200);
  });

  /** Sends the head of a list. */
  function sendList(path: string, length: number) {
    const outgoing = request({
      port: proxy.port,
      host: "localhost",
      family: 4,
      ca: PRIVATE_ROOT,
      agent: false,
      method: "POST",
      path,
      headers: { "content-type": "application/x-ndjson", "content-length": length },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      outgoing.on("error", reject);
      outgoing.on("response", (response) => resolve(response.resume().statusCode));
    });
    return { outgoing, answered };
  }

  it.each([LISTS, PAGE_LISTS])("streams the largest list to the service: %s", async (path) => {
    upstream.received = 0;
    const half = Buffer.alloc(JOB_BOUNDS.maxMatchBytes / 2, "\n");
    const { outgoing, answered } = sendList(path, 2 * half.length);
    outgoing.write(half);
    await until("the first half arrives", () => upstream.received > 0);
    outgoing.end(half);
    expect([await answered, upstream.received]).toEqual([202, JOB_BOUNDS.maxMatchBytes]);
  });

  thoroughIt("passes a list that pauses and takes longer than any other request", async () => {
    const { outgoing, answered } = sendList(LISTS, SLOW_PIECES);
    for (let sent = 0; sent < SLOW_PIECES; sent++) {
      outgoing.write("\n");
      if (sent < SLOW_PIECES - 1) await pause(BODY_TIMES.pauseMs - 1_000);
    }
    outgoing.end();
    expect(await answered).toBe(202);
  });

  it("writes no key, query or VAT number into any log, on success or failure", async () => {
    await upstream.close();
    await requestTls(proxy.port, CALL);
    await upstream.listen(upstreamPort);
    await requestTls(proxy.port, { ...CALL, path: `/hang-up/${VAT_NUMBER}?apikey=${SECRET}` });
    await requestTls(proxy.port, { ...CALL, path: `${CALL.path}&more=${"x".repeat(40_000)}` });
    await sendTls(proxy.port, `GET ${CALL.path} HTTP/1.1\r\nhost: localhost\r\nx y z: ${SECRET}\r\n\r\n`);
    await sendTls(proxy.port, `GET /${VAT_NUMBER} ${SECRET}\r\n\r\n`);
    const { status } = await requestTls(proxy.port, CALL);
    expect(status).toBe(200);
    // Logs are in order: when the last call is there, all earlier ones are.
    const areLogged = () => /"status":\s*200/.test(proxy.logs()) && /"status":\s*503/.test(proxy.logs());
    await until("the calls are in the log", areLogged);
    expect(proxy.logs()).not.toContain(SECRET);
    expect(proxy.logs()).not.toContain("apikey");
    expect(proxy.logs()).not.toContain(VAT_NUMBER);
  });

  it("returns a response to a POST with a content type and no length", async () => {
    const node = await startService(await makeWorld({ environment: { TRUST_PROXY: "127.0.0.1" } }));
    const { port } = await startOne([`127.0.0.1:${node.port}`]);
    const statusOf = async (path: string, version: string) => {
      const lines = ["host: localhost", "connection: close", "content-type: application/json"];
      const answer = await sendTls(port, `POST ${path} HTTP/${version}\r\n${lines.join("\r\n")}\r\n\r\n`);
      return answer.slice(0, answer.indexOf("\r\n"));
    };
    for (const version of ["1.0", "1.1"]) {
      expect(await statusOf("/v1/nowhere", version)).toContain(" 404 ");
      expect(await statusOf("/v1/webhook-secret", version)).toContain(" 401 ");
      expect(await statusOf("/account/session", version)).toMatch(/ 4[0-9][0-9] /);
    }
  });

  it("retries on another node if one hangs up, except for a POST, and is not slowed down by a dead node", async () => {
    const other = new Upstream();
    const otherPort = await freePort();
    await other.listen(otherPort);
    const hangsUp = await servingPort((incoming, response) => {
      if (incoming.url === READY_PATH) response.end("{}");
      else incoming.socket.destroy();
    });
    const both = await startTwo([`127.0.0.1:${hangsUp}`, `127.0.0.1:${otherPort}`]);
    const statuses = async (method: "GET" | "HEAD" | "POST") => {
      const sent = Array.from({ length: 4 }, () =>
        requestTls(both.port, { method, path: "/v1/health", ...(method === "POST" && { body: "{}" }) }),
      );
      return (await Promise.all(sent)).map(({ status }) => status);
    };
    expect(await statuses("GET")).toEqual([200, 200, 200, 200]);
    expect(await statuses("HEAD")).toEqual([200, 200, 200, 200]);
    expect(await statuses("POST")).toContain(503);

    const { port } = await startTwo([`127.0.0.1:${await freePort()}`, `127.0.0.1:${otherPort}`]);
    let slow = 0;
    for (let count = 0; count < 50; count++) {
      const beganMs = performance.now();
      expect((await requestTls(port, { path: "/v1/health" })).status).toBe(200);
      if (performance.now() - beganMs > 90) slow++;
    }
    // If every call tried the dead node first, there would be 25.
    expect(slow).toBeLessThan(13);
  });

  thoroughIt("loses no call while two nodes are restarted in turn", async () => {
    const server = await sharedPostgres();
    const DATABASE_URL = await server.newDatabase("proxied");
    const world = await makeWorld({ environment: { DATABASE_URL, TRUST_PROXY: "127.0.0.1" } });
    await awayFromMonthEnd();
    const { key } = await world.account("plenty");
    const start = (port: number): Promise<Service> =>
      startService({ environment: { ...world.environment, PORT: String(port) } });
    const nodes = [await start(0), await start(0)];
    const before = await startTwo(nodes.map(({ port }) => `127.0.0.1:${port}`));

    let isOver = false;
    const outcomes = new Map<number | "refused", number>();
    const pool = new Pool(`https://localhost:${before.port}`, {
      connections: CALLERS,
      connect: { ca: PRIVATE_ROOT, family: 4 },
    });
    const headers = { authorization: `Bearer ${key}` };
    const call = async () => {
      while (!isOver) {
        const { statusCode, body } = await pool.request({
          method: "GET",
          path: `/v1/lookup/${BAKERY}`,
          headers,
        });
        const responseText = await body.text();
        // A node refuses calls itself while the database is busy: those were not lost.
        const isRefused = statusCode === 503 && responseText.includes("calls cannot be counted");
        const outcome = isRefused ? "refused" : statusCode;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await pause(BETWEEN_CALLS_MS);
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, call));
    const count = () => [...outcomes.values()].reduce((sum, one) => sum + one, 0);
    for (const node of nodes) {
      const seen = count();
      await until("calls succeed", () => count() > seen + CALLERS * 5);
      expect(await node.end("SIGTERM")).toBe(0);
      const afterEnd = count();
      await until("the other node answers calls", () => count() > afterEnd + CALLERS * 5);
      await until("it listens again", () => start(node.port).catch(unlessTaken));
    }
    isOver = true;
    await callers;
    await pool.close();
    expect([...outcomes.keys()].filter((one) => one !== "refused")).toEqual([200]);
  });
}

/** Meanwhile an outgoing connection may use the port. */
function unlessTaken(error: unknown): undefined {
  if (!/port [0-9]+ on .* is in use/.test(String(error))) throw error;
}

const CALLERS = 8;
/** Leaves processor time for the nodes that start. */
const BETWEEN_CALLS_MS = 5;
