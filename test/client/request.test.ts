/** `request()` and `fetch()`: any endpoint, with the guarantees of the other methods. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type AnswerInfo,
  NotFoundError,
  Opzoek,
  OpzoekError,
  UnexpectedAnswerError,
} from "../../client/src/index.ts";
import { begun, completed } from "../jobs/lists.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { type Served, serveHere } from "../kit/serveHere.ts";
import { makeWorld } from "../kit/world.ts";
import { refusal, type Scripted, type ScriptedServer, startScripted } from "./scripted.ts";

const AT_ONCE = { "retry-after": 0 };
const BALANCE = { "x-ratelimit-remaining": 9, "x-ratelimit-reset": 1, "x-ratelimit-limit": 10 };

let server: ScriptedServer;
let scripted: Opzoek;
let service: Served;
let key: string;
let opzoek: Opzoek;
beforeAll(async () => {
  server = await startScripted();
  scripted = new Opzoek({ baseUrl: `${server.address}/base/`, key: "opz_live_not_a_real_one" });
  const world = await makeWorld();
  service = await serveHere(world);
  ({ key } = await world.account("plenty"));
  opzoek = new Opzoek({ baseUrl: service.address, key });
});

/** The error that a call rejects with. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("request", () => {
  it("returns what the method of the endpoint returns, at the same price", async () => {
    const path = { kvkNumber: BAKERY };
    const query = { enrich: true };
    const infos: AnswerInfo[] = [];
    const onAnswer = (info: AnswerInfo) => infos.push(info);
    const company = await opzoek.request("GET /v1/lookup/{kvkNumber}", { path, query, onAnswer });
    expect(company).toEqual(await opzoek.lookup(BAKERY, { enrich: true }));
    expect(infos).toMatchObject([
      { operation: "GET /v1/lookup/{kvkNumber}", status: 200, attempt: 1, tokens: { charged: 5 } },
    ]);
    const body = { queries: [{ name: "Fabelkorst", kvkNumber: BAKERY }] };
    expect(await opzoek.request("POST /v1/match", { body })).toMatchObject({
      results: [{ decision: "matched" }],
    });
    expect((await opzoek.request("GET /v1/usage")).tokens.used).toBe(11);
    expect((await opzoek.request("GET /v1/health")).status).toMatch(/^(ok|degraded)$/);
  });

  it("returns results of a list as a stream, and sends a list of any media type", async () => {
    const { id } = await begun(service, key, [BAKERY]);
    await completed(service, key, id);
    const path = { jobId: id };
    const response = await opzoek.request("GET /v1/jobs/{jobId}/results", { path, query: { format: "csv" } });
    const same = await ask(service, { path: `/v1/jobs/${id}/results?format=csv`, key });
    expect(await response.text()).toBe(same.text);
    const priced = await opzoek.request("POST /v1/jobs", {
      query: { kind: "lookup", dryRun: true },
      body: `kvkNumber\n${BAKERY}\n`,
      contentType: "text/csv",
    });
    expect(priced.counts.numbers).toBe(1);
  });

  it.each(["", ".", "..", "../usage", "1/../../usage", "%2e%2e", "51234567?enrich=true", "\ud800"])(
    "never reaches another path with the value %j",
    async (kvkNumber) => {
      const path = { kvkNumber };
      await expect(opzoek.request("GET /v1/lookup/{kvkNumber}", { path })).rejects.toMatchObject({
        code: "INVALID_KVK_NUMBER",
      });
    },
  );

  it("rejects with the error of the code", async () => {
    const path = { kvkNumber: UNKNOWN };
    const error = await failureOf(opzoek.request("GET /v1/lookup/{kvkNumber}", { path }));
    expect(error).toBeInstanceOf(NotFoundError);
  });

  it.each<[string, Scripted]>([
    ["a broken connection", "reset"],
    ["a broken response", { body: { a: 1 }, cut: true }],
    ["a busy service", refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE)],
    ["a proxy without a service", { status: 503, text: "later", headers: AT_ONCE }],
  ])("tries again after %s, with the same idempotency key", async (_, first) => {
    server.answer(first, { body: { results: [] } });
    const body = { queries: [{ name: "Fabelkorst" }] };
    expect(await scripted.request("POST /v1/match", { body })).toEqual({ results: [] });
    const [one, other] = server.seen.map(({ headers, path }) => [headers["idempotency-key"], path]);
    expect(one).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), "/base/v1/match"]);
    expect(other).toEqual(one);
  });

  it("keeps to its deadline, its signal and its own idempotency key", async () => {
    server.answer("nothing");
    const slow = await failureOf(scripted.request("GET /v1/usage", { timeoutMs: 50 }));
    expect(slow).toMatchObject({ code: "TIMEOUT" });
    const stopped = await failureOf(scripted.request("GET /v1/usage", { signal: AbortSignal.abort() }));
    expect(stopped).toMatchObject({ code: "ABORTED" });
    server.answer({ body: {} });
    await scripted.request("GET /v1/usage", { idempotencyKey: "report-1" });
    expect(server.seen[0]?.headers["idempotency-key"]).toBe("report-1");
  });

  it("returns health that is down, and takes no page of something else for a response", async () => {
    server.answer({ status: 503, body: { status: "down" } });
    expect(await scripted.request("GET /v1/health")).toEqual({ status: "down" });
    for (const type of ["text/html", "text/plain", "text/csv", "application/json"]) {
      server.answer({ text: "<h1>Log in</h1>", headers: { "content-type": type } });
      const error = await failureOf(scripted.request("GET /v1/usage", { retries: 0 }));
      expect(error).toBeInstanceOf(UnexpectedAnswerError);
    }
  });
});

describe("fetch", () => {
  it.each<[string, object, string, string, string | undefined]>([
    ["GET /v1/new?a=1", { query: { b: "é", c: undefined } }, "/base/v1/new?a=1&b=%C3%A9", "", undefined],
    ["DELETE /v1/new/{id}", { path: { id: "a/b" } }, "/base/v1/new/a%2Fb", "", undefined],
    ["POST /v1/new", { body: { a: "01", b: undefined } }, "/base/v1/new", '{"a":"01"}', "application/json"],
    ["PATCH /v1/new", { body: "{ }" }, "/base/v1/new", "{ }", "application/json"],
    ["POST /v1/new", { body: new Blob(["a"]), contentType: "text/csv" }, "/base/v1/new", "a", "text/csv"],
  ])("sends %s with %j", async (route, options, path, body, type) => {
    server.answer({ body: {} });
    await scripted.fetch(route, options);
    const [sent] = server.seen;
    expect(sent).toMatchObject({ method: route.split(" ")[0], path, body });
    expect(sent?.headers["content-type"]).toBe(type);
  });

  it("returns the response as it was sent", async () => {
    server.answer({ text: '{ "a": 1.0 }', headers: { ...BALANCE, "x-new": "1" } });
    const json = await scripted.fetch("GET /v1/new");
    expect([await json.text(), json.status, json.headers.get("x-new")]).toEqual(['{ "a": 1.0 }', 200, "1"]);
    server.answer({ text: "%PDF", headers: { "content-type": "application/pdf", ...BALANCE } });
    expect(await (await scripted.fetch("GET /v1/new")).text()).toBe("%PDF");
    expect(scripted.state.rate?.remaining).toBe(9);
  });

  it("adds a browser key to a query of the path", async () => {
    server.answer({ body: {} });
    const page = new Opzoek({ baseUrl: server.address, key: "opz_pub_not_a_real_one" });
    await page.fetch("GET /v1/autocomplete?q=ba");
    expect(server.seen[0]?.path).toBe("/v1/autocomplete?q=ba&apikey=opz_pub_not_a_real_one");
  });

  it.each(["", "GET", "GET v1/usage", "GET @evil.example/", "PUT /v1/usage", "get /v1/usage", "/v1/usage"])(
    "refuses the route %j before it sends the key",
    async (route) => {
      server.answer({ body: {} });
      const error = await failureOf(scripted.fetch(route));
      expect([error instanceof TypeError, error instanceof OpzoekError]).toEqual([true, false]);
      expect(server.seen).toEqual([]);
    },
  );
});
