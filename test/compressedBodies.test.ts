/** No route reads a compressed body: each answers 415 before reading, and names the coding. */
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { ACCOUNT_ROUTES } from "../src/http/account/routes/all.ts";
import { ENDPOINTS } from "../src/http/endpoints/all.ts";
import { inject, messageOf, numberIn } from "./kit/answer.ts";
import { expectBalance, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { parseAnswer, requestBytes, sendBytes } from "./kit/rawSocket.ts";
import { makeWorld, type TestAccount } from "./kit/world.ts";

let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  service = await composeInProcess(await makeWorld({ environment: { KEYLESS_PER_MINUTE: "10000" } }));
  account = await service.account("plenty");
});

const TEXT = '{"kvkNumbers":["50000001"]}';
const CODINGS = ["gzip", "br", "x-unheard-of", "identity, GZIP"];
const postsOfApi = [
  ...ENDPOINTS.filter(({ method }) => method === "POST").map(({ path }) => path),
  "/mcp",
] as const;
const changes = ACCOUNT_ROUTES.filter(({ method, who }) => method !== "GET" && who === "everyone");

describe.each(CODINGS)("a body in %s", (coding) => {
  const body = TEXT;
  const headers = { "content-type": "application/json", "content-encoding": coding };
  const named = (coding.split(", ").at(-1) ?? "").toLowerCase();

  it.each(postsOfApi)("is 415 for POST %s, charges nothing and takes a slot", async (path) => {
    const { key } = account;
    const before = numberIn(await inject(service.app, { path: "/v1/usage", key }), "x-ratelimit-remaining");
    const answer = await inject(service.app, {
      method: "POST",
      path: path.replace(/:[A-Za-z]+/, "x"),
      key,
      body,
      headers,
    });
    expectError(answer, "UNSUPPORTED_MEDIA_TYPE");
    expect(messageOf(answer)).toContain(named);
    expect(answer.headers["accept-encoding"]).toBe("identity");
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    expect(numberIn(answer, "x-ratelimit-remaining")).toBe(before - 1);
    expectError(await inject(service.app, { method: "POST", path, body, headers }), "UNAUTHORIZED");
  });

  it.each(changes)("is 415 for $method $path", async ({ method, path }) => {
    const answer = await inject(service.app, {
      method,
      path,
      body,
      headers: { ...headers, origin: "http://localhost", host: "localhost" },
    });
    expectError(answer, "UNSUPPORTED_MEDIA_TYPE");
    expect(messageOf(answer)).toContain(named);
  });

  it("does not change the response for an unknown path or method", async () => {
    const post = { method: "POST", body, headers, key: account.key };
    expectError(await inject(service.app, { ...post, path: "/v1/nope" }), "ROUTE_NOT_FOUND");
    expectError(await inject(service.app, { ...post, path: "/v1/usage" }), "METHOD_NOT_ALLOWED");
    expectError(await inject(service.app, { ...post, path: "/account/plans" }), "METHOD_NOT_ALLOWED");
  });
});

it.each(["identity", "Identity", "", ",identity"])(
  "a body with Content-Encoding %j is read",
  async (coding) => {
    const answer = await inject(service.app, {
      method: "POST",
      path: "/v1/lookup/batch",
      key: account.key,
      body: TEXT,
      headers: { "content-type": "application/json", "content-encoding": coding },
    });
    expect(answer.status).toBe(200);
  },
);

describe("over the wire", () => {
  beforeAll(async () => void (await service.app.listen({ host: "127.0.0.1", port: 0 })));

  it.each(postsOfApi)("POST %s rejects a compressed body before any of it arrives", async (path) => {
    const { port } = service.app.server.address() as AddressInfo;
    const headers = {
      authorization: `Bearer ${account.key}`,
      "content-type": "text/csv",
      "content-encoding": "gzip",
      "content-length": "5000000",
    };
    for (const sent of ["", gzipSync(TEXT)]) {
      const bytes = requestBytes(`POST ${path.replace(/:[A-Za-z]+/, "x")}`, headers, sent);
      expectError(parseAnswer(await sendBytes(port, bytes)), "UNSUPPORTED_MEDIA_TYPE");
    }
  });

  it("a body compressed by Transfer-Encoding is 415 too", async () => {
    const { port } = service.app.server.address() as AddressInfo;
    const headers = {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      "transfer-encoding": "gzip, chunked",
    };
    const bytes = requestBytes("POST /v1/lookup/batch", headers, "0\r\n\r\n");
    expectError(parseAnswer(await sendBytes(port, bytes)), "UNSUPPORTED_MEDIA_TYPE");
  });
});
