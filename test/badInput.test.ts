import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../src/http/limits.ts";
import { messageOf, numberIn } from "./kit/answer.ts";
import { ask } from "./kit/client.ts";
import { BAKERY } from "./kit/companies.ts";
import { expectContractError, expectError } from "./kit/contractAnswer.ts";
import { parseAnswer, requestBytes, sendBytes } from "./kit/rawSocket.ts";
import { type Served, serveHere } from "./kit/serveHere.ts";
import { makeWorld, PLENTY, type TestAccount } from "./kit/world.ts";

let service: Served;
let account: TestAccount;
/** Has no tokens left. */
let poor: TestAccount;
beforeAll(async () => {
  const world = await makeWorld({ tiers: { poor: { ...PLENTY, monthlyTokens: 0 } } });
  account = await world.account("plenty");
  poor = await world.account("poor");
  service = await serveHere(world);
});

const get = (path: string) => ask(service, { path, key: account.key });
const post = (body: string, headers: Record<string, string> = {}) =>
  ask(service, { method: "POST", path: "/v1/lookup/batch", key: account.key, body, headers });
const raw = async (line: string | Buffer, headers: Record<string, string> = {}, body: string | Buffer = "") =>
  parseAnswer(
    await sendBytes(
      service.port,
      requestBytes(line, { authorization: `Bearer ${account.key}`, ...headers }, body),
    ),
  );

describe("INVALID_KVK_NUMBER", () => {
  it.each([
    "",
    "1",
    "1234567",
    "500000010",
    "5000000a",
    "%20500001",
    "50000001%00",
    "５０００００01",
    "x".repeat(9_000),
  ])("is returned for %s, with the rule and at most 40 characters of the input", async (number) => {
    for (const path of [
      `/v1/lookup/${encodeURI(decodeURI(number))}`,
      `/v1/lookup/${encodeURI(decodeURI(number))}/branches`,
    ]) {
      const answer = await get(path);
      expectError(answer, "INVALID_KVK_NUMBER");
      expect(messageOf(answer)).toContain("exactly 8 digits");
      expect(messageOf(answer).length).toBeLessThan(120);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    }
  });
});

describe("a number of seven digits", () => {
  it("gets a hint that a leading zero may be missing, alone and in a batch", async () => {
    for (const path of ["/v1/lookup/1234567", "/v1/lookup/1234567/branches"]) {
      expect(messageOf(await get(path))).toContain("a leading zero may have been lost");
    }
    expect((await post('{"kvkNumbers":["1234567"]}')).text).toContain("a leading zero may have been lost");
    expect(messageOf(await get("/v1/lookup/123456"))).not.toContain("zero");
  });
});

describe("bad input", () => {
  it.each([
    ["INVALID_VAT_NUMBER", "/v1/validate/vat/GB123456789"],
    ["INVALID_VAT_NUMBER", "/v1/validate/vat/nonsense"],
    ["INVALID_REQUEST", "/v1/validate/vat/NL123456782B90?requester=nonsense"],
    ["INVALID_REQUEST", "/v1/validate/vat/NL123456782B90?maxAge=-1"],
    ["INVALID_REQUEST", "/v1/search"],
    ["INVALID_REQUEST", "/v1/search?q=ab&page=11&pageSize=100"],
    ["INVALID_REQUEST", "/v1/search?q=a"],
    ["INVALID_REQUEST", "/v1/autocomplete?q=a"],
    ["INVALID_KVK_NUMBER", "/v1/lookup/1"],
    ["INVALID_REQUEST", `/v1/lookup/${BAKERY}?maxAge=0`],
    ["INVALID_REQUEST", `/v1/lookup/${BAKERY}?enrich=yes`],
    ["INVALID_KVK_NUMBER", "/v1/lookup/1/branches"],
  ])("is %s, even to an account without tokens: GET %s", async (code, path) => {
    const answer = await ask(service, { path, key: poor.key });
    expectError(answer, code);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });

  it("in a batch is reported even to an account without tokens", async () => {
    for (const body of ['{"kvkNumbers":[]}', "{"]) {
      const request = { method: "POST", path: "/v1/lookup/batch", key: poor.key };
      const headers = { "content-type": "application/json" };
      expectError(await ask(service, { ...request, body, headers }), "INVALID_REQUEST");
    }
  });
});

describe("INVALID_REQUEST", () => {
  it.each([
    [`/v1/lookup/${BAKERY}?enrich=yes`, "enrich", '"yes"'],
    [`/v1/lookup/${BAKERY}?enrich=`, "enrich", '""'],
    [`/v1/lookup/${BAKERY}?enrich=2`, "enrich must be true, false, 1 or 0", '"2"'],
    ["/v1/autocomplete", "q is required", ""],
    ["/v1/autocomplete?q=a", "q must be text of 2 to", '"a"'],
    ["/v1/autocomplete?q=%20a%20", "q must be text of 2 to", '" a "'],
    [`/v1/autocomplete?q=${"ab+".repeat(1_666)}`, "q must be", "…"],
    ["/v1/autocomplete?q=ab%00cd", "q must be", "ab?cd"],
    ["/v1/autocomplete?q=ab&limit=0", "limit must be a whole number from 1 to 20", '"0"'],
    ["/v1/autocomplete?q=ab&limit=21", "limit", '"21"'],
    ["/v1/autocomplete?q=ab&limit=-1", "limit", '"-1"'],
    ["/v1/autocomplete?q=ab&limit=1e1", "limit", '"1e1"'],
    ["/v1/autocomplete?q=ab&limit=1.5", "limit", '"1.5"'],
    ["/v1/autocomplete?q=ab&limit=999999999999999999999", "limit", '"999'],
    ["/v1/autocomplete?q=%zz", '"q" must be percent-encoded UTF-8', ""],
    ["/v1/autocomplete?q=%ff%fe", '"q" must be percent-encoded UTF-8', ""],
    ["/v1/autocomplete?q=%c0%af", '"q" must be percent-encoded UTF-8', ""],
    ["/v1/autocomplete?%ff=ab", "percent-encoded UTF-8", ""],
    ["/v1/autocomplete?q=ab&__proto__=x", '"__proto__"', "q, limit"],
    ["/v1/autocomplete?q=ab&constructor=x", '"constructor"', "q, limit"],
    ["/v1/autocomplete?q=ab&q=cd", "q must be given once", ""],
    ["/v1/autocomplete?q=ab&%71=cd", "q must be given once", ""],
    ["/v1/search", "is required", "q, city"],
    ["/v1/search?page=1", "is required", "q, city"],
    ["/v1/search?q=a", "q must be", '"a"'],
    ["/v1/search?city=", "city must be", '""'],
    ["/v1/search?postalCode=12345", "postalCode must be", '"12345"'],
    ["/v1/search?postalCode=1234%20ABC", "postalCode must be", '"1234 ABC"'],
    ["/v1/search?legalForm=GMBH", "legalForm must be one of", "BV"],
    ["/v1/search?legalForm=bv", "legalForm must be one of", '"bv"'],
    ["/v1/search?sbiCode=62-01", "sbiCode must be", '"62-01"'],
    ["/v1/search?sbiCode=6..2", "sbiCode must be", '"6..2"'],
    ["/v1/search?isActive=t", "isActive must be true, false, 1 or 0", '"t"'],
    ["/v1/search?q=ab&page=0", "page must be", '"0"'],
    ["/v1/search?q=ab&pageSize=101", "pageSize must be", '"101"'],
    ["/v1/search?q=ab&page=101&pageSize=10", "page × pageSize must be at most 1000", "101"],
    ["/v1/usage?verbose=1", '"verbose"', "none"],
  ])("is returned for %s, with a message that names %s", async (path, named, received) => {
    const answer = await get(path);
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toContain(named);
    expect(messageOf(answer)).toContain(received);
    expect(messageOf(answer).length).toBeLessThan(400);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });

  it.each([
    ["", "must be JSON"],
    ["{", "must be valid JSON"],
    ['{"kvkNumbers": ["50000001"]', "must be valid JSON"],
    ['{"kvkNumbers": ["50000001"]} {}', "must be valid JSON"],
    ["null", "must be a JSON object"],
    ["[]", "must be a JSON object"],
    ['"text"', "must be a JSON object"],
    ["1", "must be a JSON object"],
    ["{}", "kvkNumbers is required"],
    ['{"kvkNumbers": null}', "kvkNumbers must be"],
    ['{"kvkNumbers": "50000001"}', "kvkNumbers must be"],
    ['{"kvkNumbers": []}', "an array of 0"],
    [JSON.stringify({ kvkNumbers: Array(101).fill(BAKERY) }), "an array of 101"],
    ['{"kvkNumbers": [50000001]}', "kvkNumbers[0] must be a string"],
    ['{"kvkNumbers": ["50000001", null]}', "kvkNumbers[1] must be a string"],
    ['{"kvkNumbers": ["50000001", ["50000001"]]}', "kvkNumbers[1] must be a string"],
    ['{"kvkNumbers": ["50000001"], "enrich": "true"}', "enrich must be true or false"],
    ['{"kvkNumbers": ["50000001"], "__proto__": {"enrich": true}}', '"__proto__"'],
    ['{"__proto__": {"kvkNumbers": ["50000001"]}}', '"__proto__"'],
    ['{"kvkNumbers": ["50000001"], "constructor": {}}', '"constructor"'],
    [`${"[".repeat(30_000)}`, "must be valid JSON"],
  ])("is returned for the batch body %s", async (body, expectedMessage) => {
    const answer = await post(body);
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toContain(expectedMessage);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });

  it("is returned for a batch body that is not UTF-8", async () => {
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const answer = await raw(
      "POST /v1/lookup/batch",
      { "content-type": "application/json", "content-length": String(body.length) },
      body,
    );
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toContain("UTF-8");
  });

  it("never quotes a key that was put in the wrong place", async () => {
    const { key } = account;
    for (const path of [`/v1/lookup/${key}`, `/v1/autocomplete?${key}=1`, `/v1/search?q=ab&sbiCode=${key}`]) {
      const answer = await get(path);
      expectContractError(answer);
      expect(answer.text).not.toContain(key.slice(9));
      expect(answer.text).not.toContain(key.slice(9, 25));
    }
  });
});

describe("a search", () => {
  it.each(["/v1/autocomplete?q=", "/v1/search?q="])(
    "accepts a query of at most 700 characters at %s",
    async (path) => {
      expect((await get(path + "bakkerij ".repeat(78).slice(0, 700).replaceAll(" ", "%20"))).status).toBe(
        200,
      );
      const tooLong = await get(path + "a".repeat(701));
      expectError(tooLong, "INVALID_REQUEST");
      expect(messageOf(tooLong)).toContain("700");
    },
  );

  it("accepts an SBI code with or without its dots", async () => {
    const found = async (sbiCode: string) => JSON.parse((await get(`/v1/search?sbiCode=${sbiCode}`)).text);
    const whole = await found("1071");
    expect(whole).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ kvkNumber: BAKERY })]),
    });
    for (const sbiCode of ["10.71", "10.7.1", "1071."]) expect(await found(sbiCode)).toEqual(whole);
    expect((await get("/v1/search?sbiCode=10.")).status).toBe(200);
  });
});

describe("UNSUPPORTED_MEDIA_TYPE", () => {
  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "multipart/form-data; boundary=x",
    "application/json, text/plain",
    "application/json application/json",
    "json",
    "/",
  ])("is returned for a body sent as %s", async (type) => {
    const answer = await post(JSON.stringify({ kvkNumbers: [BAKERY] }), { "content-type": type });
    expectError(answer, "UNSUPPORTED_MEDIA_TYPE");
    expect(messageOf(answer)).toContain("application/json");
  });

  it("is not returned for application/json with a charset", async () => {
    const type = "application/json; charset=utf-8";
    const answer = await post(JSON.stringify({ kvkNumbers: [BAKERY] }), { "content-type": type });
    expect(answer.status).toBe(200);
  });
});

describe("PAYLOAD_TOO_LARGE", () => {
  it("is returned for a body of 2 MB, in one piece or in chunks", async () => {
    const body = JSON.stringify({ kvkNumbers: ["1".repeat(2_000_000)] });
    const length = String(body.length);
    const type = { "content-type": "application/json" };
    const whole = await raw("POST /v1/lookup/batch", { ...type, "content-length": length }, body);
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const inChunks = await raw("POST /v1/lookup/batch", { ...type, "transfer-encoding": "chunked" }, chunked);
    for (const answer of [whole, inChunks]) {
      expectError(answer, "PAYLOAD_TOO_LARGE");
      expect(messageOf(answer)).toContain(String(LIMITS.bodyLimit));
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    }
  });

  it("is not returned for a 2 MB body without a key (401) or to an unknown path (404)", async () => {
    const body = Buffer.alloc(2_000_000, "a");
    const headers = { "content-length": String(body.length), "content-type": "application/json" };
    expectError(
      await raw("POST /v1/lookup/batch", { ...headers, authorization: "Bearer x" }, body),
      "UNAUTHORIZED",
    );
    expectError(await raw("POST /v1/nowhere", headers, body), "ROUTE_NOT_FOUND");
  });
});

describe("ROUTE_NOT_FOUND", () => {
  it.each([
    "/index.html",
    "/v1",
    "/v1/",
    "/v2/health",
    "/V1/health",
    "/v1/Health",
    "/v1/health/",
    "//v1/health",
    "/v1//health",
    `/v1/lookup/${BAKERY}/`,
    `/v1/lookup/${BAKERY}/branches/`,
    "/v1/../v1/health",
    "/v1/usage%2F",
    "/favicon.ico",
    "/v1/%2e%2e/health",
  ])("is returned for %s, with a key or without", async (path) => {
    expectError(await raw(`GET ${path}`), "ROUTE_NOT_FOUND");
    expectError(await raw(`GET ${path}`, { authorization: "" }), "ROUTE_NOT_FOUND");
  });
});
