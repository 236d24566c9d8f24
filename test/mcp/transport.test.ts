/** Raw messages to `/mcp`: each gets a JSON response, and an invalid one takes no more than its slot. */
import pino from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, codeOf, inject, jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { expectBalance, expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

let inside: InProcess;
let key: string;
const lines: string[] = [];
beforeAll(async () => {
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const log = { logger, escaped() {}, flush: async () => {}, flushSoon: () => {} };
  inside = await composeInProcess(await makeWorld(), { log });
  ({ key } = await inside.account("plenty"));
});

function post(body: unknown, more: Partial<TestRequest> = {}) {
  return inject(inside.app, { method: "POST", path: "/mcp", key, body, ...more });
}

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const LOOKUP = {
  jsonrpc: "2.0",
  id: "a",
  method: "tools/call",
  params: { name: "lookup_company", arguments: { kvkNumber: BAKERY } },
};

describe("a message", () => {
  it("is answered in JSON with the call's cost and the balance, without a session", async () => {
    const answer = await post(LOOKUP);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
    expect(jsonOf(answer)).toMatchObject({
      jsonrpc: "2.0",
      id: "a",
      result: {
        structuredContent: { kvkNumber: BAKERY },
        _meta: { "opzoek/tokensCharged": 1, "opzoek/requestId": answer.headers["x-request-id"] },
      },
    });
  });

  it("is charged regardless of If-None-Match: tools have no 304", async () => {
    const { headers: seen } = await inject(inside.app, { path: `/v1/lookup/${BAKERY}`, key });
    for (const tag of [seen["etag"] ?? "", "*"]) {
      const headers = { "content-type": "application/json", "if-none-match": tag };
      const answer = await post(LOOKUP, { headers });
      expect([answer.status, numberIn(answer, "x-tokens-charged")]).toEqual([200, 1]);
    }
  });

  it("with an Idempotency-Key has its tool charged once, and is a conflict if the message differs", async () => {
    const { key: own, id } = await inside.account("plenty");
    const headers = { "content-type": "application/json", "idempotency-key": "one" };
    const [first, again] = [
      await post(LOOKUP, { key: own, headers }),
      await post(LOOKUP, { key: own, headers }),
    ];
    expect([numberIn(first, "x-tokens-charged"), first.headers["idempotency-replayed"]]).toEqual([
      1,
      undefined,
    ]);
    expect([numberIn(again, "x-tokens-charged"), again.headers["idempotency-replayed"]]).toEqual([0, "true"]);
    const contentOf = (answer: Answer) => (jsonOf(answer) as { result: { content: unknown } }).result.content;
    expect(contentOf(again)).toEqual(contentOf(first));
    const failing: [object, string, string][] = [
      [{ ...LOOKUP, id: "b" }, "one", "CONFLICT"],
      [LOOKUP, "one, two", "INVALID_REQUEST"],
    ];
    for (const [message, sent, code] of failing) {
      const answer = await post(message, { key: own, headers: { ...headers, "idempotency-key": sent } });
      expect(jsonOf(answer)).toMatchObject({
        result: { isError: true, content: [{ text: expect.stringContaining(code) }] },
      });
    }
    expect((await post(LIST, { key: own, headers })).status).toBe(200);
    expect((await inside.state.ledger.spent(id))?.used).toBe(1);
  });

  it("that needs no response gets none, and still takes a slot", async () => {
    const before = numberIn(await post(LIST), "x-ratelimit-remaining");
    const answer = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([answer.status, answer.text]).toEqual([202, ""]);
    expect(numberIn(answer, "x-ratelimit-remaining")).toBe(before - 1);
  });

  it.each([
    ["not JSON", "{", 400, -32_700],
    ["a batch", [LIST, LIST], 400, -32_600],
    ["not a message", { hello: "world" }, 400, undefined],
    ["a subscription", { jsonrpc: "2.0", id: 7, method: "subscriptions/listen" }, 404, -32_601],
    ["a call of an unknown method", { ...LIST, method: "tools/make" }, 200, -32_601],
    ["a tool call with invalid arguments", { ...LOOKUP, params: { name: 1 } }, 200, -32_602],
  ])("that is %s gets a protocol error", async (_, body, status, code) => {
    const answer = await post(body, { headers: { "content-type": "application/json" } });
    expect(answer.status).toBe(status);
    expectBalance(answer);
    const { error } = jsonOf(answer) as { error: { code: number } };
    if (code !== undefined) expect(error.code).toBe(code);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });

  it("of an unknown protocol revision is refused with the known ones", async () => {
    const answer = await post(LIST, { headers: { "mcp-protocol-version": "1999-01-01" } });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("2025-06-18");
  });

  it("is refused as on every endpoint if too large, too deeply nested or with thousands of values", async () => {
    expect(codeOf(await post("x".repeat(70_000), { headers: { "content-type": "application/json" } }))).toBe(
      "PAYLOAD_TOO_LARGE",
    );
    const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lookup_company","arguments":${deep}}}`;
    const answer = await post(body, { headers: { "content-type": "application/json" } });
    expect(answer.status).toBe(400);
    // The library would describe each invalid item, which takes longer than a call may wait.
    const clientInfo = { name: "a", version: "1", icons: Array(20_000).fill(1) };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const long = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    expect([long.status, long.text]).toEqual([400, expect.stringContaining("too many values: at most 500")]);
    expect((await post(LOOKUP)).status).toBe(200);
  });
});

describe("an invalid message", () => {
  it("without a valid key is 401 with a challenge, whatever it contains; a key in the query is ignored", async () => {
    for (const message of [
      { key: undefined },
      { key: "opz_nonsense" },
      { key: undefined, path: `/mcp?apikey=${key}` },
    ]) {
      const answer = await post(LIST, message);
      expectError(answer, "UNAUTHORIZED");
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
      expect(answer.text).not.toContain("opz_");
    }
  });

  it.each(["GET", "DELETE", "PUT", "HEAD"])("%s is 405 and lists the allowed methods", async (method) => {
    const answer = await inject(inside.app, { method, path: "/mcp", key });
    expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
  });

  it("of another type is 415, without a body 400", async () => {
    expectError(await post("hello", { headers: { "content-type": "text/plain" } }), "UNSUPPORTED_MEDIA_TYPE");
    expectError(
      await post(undefined, { headers: { "content-type": "application/json" } }),
      "INVALID_REQUEST",
    );
  });

  it("with a browser key is 403", async () => {
    const { id } = await inside.account("plenty");
    const made = await inside.accounts.createKey(id, "page", "pub", { origins: ["https://shop.example"] });
    expectError(await post(LIST, { key: made.key }), "FORBIDDEN");
  });

  it("may come from any page, and is 403 with an invalid origin", async () => {
    const headers = { "content-type": "application/json", origin: "https://app.example.com" };
    expect((await post(LIST, { headers })).headers["access-control-allow-origin"]).toBe("*");
    expectError(await post(LIST, { headers: { ...headers, origin: "not an origin" } }), "FORBIDDEN");
    const response = await inject(inside.app, {
      method: "OPTIONS",
      path: "/mcp",
      headers: {
        origin: "https://app.example.com",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,mcp-protocol-version",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers["access-control-allow-headers"]).toContain("mcp-protocol-version");
  });
});

describe("the log of a tool call", () => {
  it("is one line, under the tool's operation and without its input", async () => {
    lines.length = 0;
    await post({ ...LOOKUP, params: { name: "list_branches", arguments: { kvkNumber: BAKERY } } });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ route: "/mcp", operation: "branches", status: 200, method: "POST" }),
    ]);
    expect(lines.join("")).not.toContain(BAKERY);
  });
});
