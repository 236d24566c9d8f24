/** Malformed HTTP also gets an error of the contract, or is cut off. */
import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { BODY_TIMES } from "../src/http/limits.ts";
import { codeOf, jsonOf, messageOf } from "./kit/answer.ts";
import { ask } from "./kit/client.ts";
import { BAKERY } from "./kit/companies.ts";
import { expectBalance, expectContractError, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess } from "./kit/inProcess.ts";
import { parseAnswer, requestBytes, sendBytes } from "./kit/rawSocket.ts";
import { type Service, startService } from "./kit/service.ts";
import { thoroughIt, variants } from "./kit/thorough.ts";
import { until } from "./kit/until.ts";
import { makeWorld, type TestAccount } from "./kit/world.ts";

let service: Service;
let account: TestAccount;
beforeAll(async () => {
  const world = await makeWorld();
  account = await world.account("plenty");
  service = await startService(world);
});

const get = (path: string) => ask(service, { path, key: account.key });
const raw = async (line: string | Buffer, headers: Record<string, string> = {}, body: string | Buffer = "") =>
  parseAnswer(
    await sendBytes(
      service.port,
      requestBytes(line, { authorization: `Bearer ${account.key}`, ...headers }, body),
    ),
  );

describe("malformed HTTP", () => {
  it.each([
    "%zz",
    "%",
    "%ff",
    "%c0%af",
    "%00",
    "50000001%2",
    "..%2f..%2fetc%2fpasswd",
    "__proto__",
    "%ed%a0%80",
  ])("gets an error that a web page's script may read for %s in a path", async (part) => {
    for (const path of [`/v1/lookup/${part}`, `/v1/${part}`, `/${part}`]) {
      for (const headers of [{}, { authorization: "" }]) {
        const answer = await raw(`GET ${path}`, headers);
        expectContractError(answer);
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers["access-control-allow-origin"]).toBe("*");
      }
    }
  });

  it("gets an error for bytes above 127 in a path or a query, or is read as text", async () => {
    for (const line of ["GET /v1/lookup/\xff\xfe", "GET /v1/autocomplete?q=\xc3\xa9\xc3", "GET /\xe2\x82"]) {
      const answer = await raw(Buffer.from(line, "latin1"));
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400) expectContractError(answer);
      else expect(jsonOf(answer)).toHaveProperty("results");
    }
  });

  it.each([
    ["a NUL byte in the path", "GET /v1/lookup/5000\x000001 HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a NUL byte in a header", "GET /v1/health HTTP/1.1\r\nhost: x\r\nx-a: \x00\r\n\r\n"],
    ["bytes that are not HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n"],
    ["an unknown method", "BREW /v1/health HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["an unknown HTTP version", "GET /v1/health HTTP/9.9\r\nhost: x\r\n\r\n"],
    [
      "two lengths",
      "POST /v1/lookup/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}",
    ],
    [
      "length and chunks at once",
      "POST /v1/lookup/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}",
    ],
    [
      "headers that are too large",
      `GET /v1/health HTTP/1.1\r\nhost: x\r\nx-a: ${"a".repeat(40_000)}\r\n\r\n`,
    ],
    ["a path that is too long", `GET /v1/lookup/${"1".repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ])("gets INVALID_REQUEST for %s and is cut off", async (_what, bytes) => {
    expectError(parseAnswer(await sendBytes(service.port, Buffer.from(bytes, "latin1"))), "INVALID_REQUEST");
  });

  it("gets INVALID_REQUEST for a broken chunk and is cut off", async () => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    expectError(await raw("POST /v1/lookup/batch", headers, "zz\r\n{}"), "INVALID_REQUEST");
  });

  const requests = [
    ["without a `Host`", ""],
    ["with two `Host`", "host: a.example\r\nHost: b.example\r\n"],
    ["with an unknown `Expect`", "host: x\r\nexpect: miracles\r\n"],
    ["with the same `Host` twice", "host: x\r\nhost: x\r\n"],
    ["with two hosts in one `Host`", "host: a.example, b.example\r\n"],
    ["with a `Host` that is a URL", "host: http://a.example/\r\n"],
  ] as const;
  describe.each(variants(requests, { ordinary: 3 }))("a request %s", (_what, headers) => {
    const asking = (path: string, more = "") =>
      `GET ${path} HTTP/1.1\r\nconnection: close\r\n${headers}${more}\r\n`;
    const answerTo = async (at: { readonly port: number }, path: string, more?: string) =>
      parseAnswer(await sendBytes(at.port, asking(path, more)));

    it("is answered like any other invalid request, and logged", async () => {
      const answer = await answerTo(
        service,
        `/v1/lookup/${BAKERY}`,
        `authorization: Bearer ${account.key}\r\n`,
      );
      expectError(answer, "INVALID_REQUEST");
      expectBalance(answer);
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      const requestId = answer.headers["x-request-id"];
      const line = await until("it is logged", () =>
        service.log().find((line) => line["requestId"] === requestId),
      );
      expect(line).toMatchObject({ status: 400, route: "/v1/lookup/:kvkNumber" });
    });

    it("counts against the limit of calls without a key, if it has none", async () => {
      const { app } = await composeInProcess(await makeWorld({ environment: { KEYLESS_PER_MINUTE: "2" } }));
      const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
      const statuses: number[] = [];
      for (const path of ["/v1/health", "/v1/usage", "/v1/health"]) {
        statuses.push((await answerTo({ port }, path)).status);
      }
      expect(statuses).toEqual([400, 400, 429]);
    });
  });

  it("does not hang for CONNECT and protocol upgrades", async () => {
    const tunnel = "CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n";
    expectError(parseAnswer(await sendBytes(service.port, tunnel)), "INVALID_REQUEST");
    const upgrade = await raw("GET /v1/health", { connection: "upgrade, close", upgrade: "websocket" });
    expect(upgrade.status).toBe(200);
  });

  thoroughIt("is cut off within the documented time if sent slowly", async () => {
    const cuts = await Promise.all(
      [
        "GET /v1/health HTTP/1.1\r\nhost: x\r\nx-slow: ",
        `POST /v1/lookup/batch HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n{`,
      ].map(async (start) => {
        const socket = connect({ port: service.port, host: "127.0.0.1" });
        let received = "";
        let isClosed = false;
        socket.on("data", (part) => {
          received += String(part);
        });
        socket.on("error", () => {});
        socket.on("close", () => {
          isClosed = true;
        });
        socket.write(start);
        const drip = setInterval(() => socket.writable && socket.write(" "), 500);
        await until("the slow sender is cut off", () => isClosed, BODY_TIMES.wholeMs + 30_000);
        clearInterval(drip);
        return received;
      }),
    );
    for (const received of cuts) {
      const answer = parseAnswer(Buffer.from(received));
      expectError(answer, "INVALID_REQUEST");
      expect(messageOf(answer)).toContain("15 s");
    }
  });
});

it("malformed HTTP leaves the service unharmed", async () => {
  expect((await get(`/v1/lookup/${BAKERY}`)).status).toBe(200);
  const health = await ask(service, { path: "/v1/health" });
  expect([health.status, codeOf(health)]).toEqual([200, undefined]);
  expect(service.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
