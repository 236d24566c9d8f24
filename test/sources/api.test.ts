/** `opzoek api`: any endpoint of a service, as a plain HTTP request calls it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/http/endpoints/all.ts";
import { refusal, type ScriptedServer, startScripted } from "../client/scripted.ts";
import { begun, completed } from "../jobs/lists.ts";
import { messageOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { PEPPOL_ON } from "../kit/peppolAnswers.ts";
import { type Served, serveHere } from "../kit/serveHere.ts";
import { validCall } from "../kit/validCalls.ts";
import { makeWorld, type TestAccount, temporaryFolder, type World } from "../kit/world.ts";

const SCRIPTED_KEY = "opz_live_not_a_real_one";

let world: World;
let service: Served;
let account: TestAccount;
let server: ScriptedServer;
let folder: string;
beforeAll(async () => {
  world = await makeWorld({ environment: PEPPOL_ON });
  service = await serveHere(world);
  account = await world.account("plenty");
  server = await startScripted();
  folder = temporaryFolder();
});

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const surroundings = () => ({ ...world.environment, OPZOEK_URL: service.address, OPZOEK_KEY: account.key });
const api = (...words: readonly string[]) => opzoek(["api", ...words], surroundings());

/** Calls a server that answers with an empty object. */
async function scripted(...words: readonly string[]) {
  server.answer({});
  const environment = { OPZOEK_URL: server.address, OPZOEK_KEY: SCRIPTED_KEY };
  return { ...(await opzoek(["api", ...words], environment)), seen: server.seen };
}

describe("the call of a service", () => {
  it.each(ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s succeeds or fails as the same request",
    async (_, endpoint) => {
      const { method, path, body, headers = {} } = validCall(endpoint);
      const direct = await ask(service, { method, path, body, headers, key: account.key });
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const input = body === undefined ? [] : ["--input", file("body", text)];
      const type = headers["content-type"];
      const words = ["api", method, path, ...input, ...(type === undefined ? [] : ["--content-type", type])];
      const isJson = direct.headers["content-type"]?.startsWith("application/json") === true;
      const { code, out, err } = await (isJson ? opzoek : spawnOpzoek)(words, surroundings());
      if (direct.status >= 400) {
        expect([code, out]).toEqual([1, ""]);
        expect(err).toContain(messageOf(direct));
        return;
      }
      expect(code, err).toBe(0);
      if (isJson) expect(Object.keys(JSON.parse(out))).toEqual(Object.keys(JSON.parse(direct.text)));
      else expect(out).toBe(direct.text);
    },
  );

  it("prints a response as it was sent, and passes results of a list on", async () => {
    const path = `/v1/lookup/${BAKERY}?enrich=true`;
    const direct = await ask(service, { path, key: account.key });
    expect(await api("get", path)).toEqual({ code: 0, out: `${direct.text}\n`, err: "" });
    const { id } = await begun(service, account.key, [BAKERY, UNKNOWN]);
    await completed(service, account.key, id);
    for (const format of ["jsonl", "csv"]) {
      const results = `/v1/jobs/${id}/results`;
      const same = await ask(service, { path: `${results}?format=${format}`, key: account.key });
      const printed = await spawnOpzoek(["api", "GET", results, `format=${format}`], surroundings());
      expect(printed).toEqual({ code: 0, out: same.text, err: "" });
    }
  });

  it("sends fields as query or body, and a file of any type", async () => {
    expect(JSON.parse((await api("GET", "/v1/search", "q=fabelkorst", "pageSize:=1")).out)).toMatchObject({
      results: [{ kvkNumber: BAKERY }],
      pageSize: 1,
    });
    const batch = await api("POST", "/v1/lookup/batch", `kvkNumbers:=["${BAKERY}","00000001"]`);
    expect(JSON.parse(batch.out)).toMatchObject({
      results: [{ kvkNumber: BAKERY }],
      failed: [{ kvkNumber: "00000001" }],
    });
    const list = file("list.csv", `kvkNumber\n${BAKERY}\n`);
    const terms = "/v1/jobs?kind=lookup&dryRun=true";
    const priced = await api("POST", terms, "--input", list, "--content-type", "text/csv");
    expect(JSON.parse(priced.out)).toMatchObject({ counts: { numbers: 1 } });
  });

  it.each<[string, string[], number, string]>([
    ["an unknown company", ["GET", `/v1/lookup/${UNKNOWN}`], 1, "opzoek: "],
    ["wrong input", ["GET", "/v1/lookup/123"], 2, "8 digits"],
    ["an unknown parameter", ["GET", "/v1/usage", "colour=red"], 2, "colour"],
    ["an unknown endpoint", ["GET", "/v1/colours"], 1, "No such endpoint"],
    ["a method that the endpoint does not have", ["DELETE", "/v1/usage"], 1, "GET"],
    ["a body of another type", ["POST", "/v1/jobs?kind=lookup", "a=b"], 1, "application/x-ndjson"],
  ])("explains %s and fails", async (_, words, code, message) => {
    const result = await api(...words);
    expect([result.code, result.out]).toEqual([code, ""]);
    expect(result.err.toLowerCase()).toContain(message.toLowerCase());
  });

  it("reports an invalid key without showing it", async () => {
    const environment = { ...surroundings(), OPZOEK_KEY: SCRIPTED_KEY };
    const { code, out, err } = await opzoek(["api", "GET", "/v1/usage"], environment);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("OPZOEK_KEY");
    expect(err).not.toContain(SCRIPTED_KEY);
  });
});

describe("the request", () => {
  it.each<[string[], string, string, unknown]>([
    [["GET", "/v1/search", "q=a=b&c d", "page:=2"], "GET", "/v1/search?q=a%3Db%26c%20d&page=2", undefined],
    [["GET", "/v1/search?q=a", "fuzzy:=false"], "GET", "/v1/search?q=a&fuzzy=false", undefined],
    [["DELETE", "/v1/monitors/mon_1"], "DELETE", "/v1/monitors/mon_1", undefined],
    [["POST", "/v1/jobs/job_1/pause"], "POST", "/v1/jobs/job_1/pause", undefined],
    [["POST", "/v1/x", "kvkNumber=09876543"], "POST", "/v1/x", { kvkNumber: "09876543" }],
    [["POST", "/v1/x", "text=true", "empty="], "POST", "/v1/x", { text: "true", empty: "" }],
    [
      ["PATCH", "/v1/x", "n:=1", "no:=false", "none:=null", 'list:=["0"]', 'of:={"a":"="}'],
      "PATCH",
      "/v1/x",
      { n: 1, no: false, none: null, list: ["0"], of: { a: "=" } },
    ],
    [["POST", "/v1/x", "a=b:=c", 'b:=":="'], "POST", "/v1/x", { a: "b:=c", b: ":=" }],
    [["GET", "/v1/../v1/./usage"], "GET", "/v1/usage", undefined],
    [["GET", "/v1/lookup/{kvkNumber}"], "GET", "/v1/lookup/%7BkvkNumber%7D", undefined],
  ])("%j", async (words, method, path, body) => {
    const { code, err, seen } = await scripted(...words);
    expect(code, err).toBe(0);
    expect(seen.map((one) => [one.method, one.path])).toEqual([[method, path]]);
    const [sent] = seen;
    expect(sent?.body === "" ? undefined : JSON.parse(sent?.body ?? "")).toEqual(body);
    expect(sent?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
    expect(sent?.headers.authorization).toBe(`Bearer ${SCRIPTED_KEY}`);
  });

  it("is repeated with the same idempotency key", async () => {
    server.answer("reset", refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": 0 }), {
      text: '{ "a": 1.0 }',
    });
    const environment = { OPZOEK_URL: server.address, OPZOEK_KEY: SCRIPTED_KEY };
    const result = await opzoek(["api", "POST", "/v1/match", "queries:=[]"], environment);
    expect(result).toEqual({ code: 0, out: '{ "a": 1.0 }\n', err: "" });
    expect(server.seen).toHaveLength(3);
    expect(new Set(server.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it("prints the health of a service that is down", async () => {
    server.answer({ status: 503, body: { status: "down" } });
    const environment = { OPZOEK_URL: server.address, OPZOEK_KEY: SCRIPTED_KEY };
    expect(await opzoek(["api", "GET", "/v1/health"], environment)).toEqual({
      code: 0,
      out: '{"status":"down"}\n',
      err: "",
    });
  });

  it("says that the output is incomplete when the connection breaks", async () => {
    const left = { "x-ratelimit-remaining": 1, "x-ratelimit-reset": 1, "x-ratelimit-limit": 1 };
    server.answer({ text: "a,b\n", headers: { "content-type": "text/csv", ...left }, cut: true });
    const environment = { ...world.environment, OPZOEK_URL: server.address, OPZOEK_KEY: SCRIPTED_KEY };
    const { code, err } = await spawnOpzoek(["api", "GET", "/v1/jobs/job_1/results"], environment);
    expect([code, err]).toEqual([1, expect.stringContaining("incomplete")]);
  });

  it("takes a page of something else for no response of the service", async () => {
    server.answer({ text: "<h1>Log in</h1>", headers: { "content-type": "text/html" } });
    const environment = { OPZOEK_URL: server.address, OPZOEK_KEY: SCRIPTED_KEY };
    const { code, out, err } = await opzoek(["api", "GET", "/v1/usage"], environment);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("belongs to an Opzoek service");
  });
});

it.each<[string[], string]>([
  [["PUT", "/v1/usage"], 'one of GET, POST, PATCH, DELETE; got "PUT"'],
  [["GET", "v1/usage"], "must begin with one slash"],
  [["GET", "//evil.example/v1/usage"], "must begin with one slash"],
  [["GET", "/\\evil.example/v1/usage"], "must begin with one slash"],
  [["GET", "https://user:secret@evil.example/v1/usage"], "must begin with one slash"],
  [["GET", "@evil.example/"], "must begin with one slash"],
  [["GET", "/v1/search?q=a#b"], "write %23"],
  [["GET"], "missing required argument"],
  [["GET", "/v1/usage", "colour"], 'name=text or name:=JSON; got "colour"'],
  [["GET", "/v1/usage", "=red"], "name=text or name:=JSON"],
  [["POST", "/v1/match", "queries:=[a"], '"queries" must be valid JSON'],
  [["GET", "/v1/search", "q:=[1]"], '"q" must be a text'],
  [["DELETE", "/v1/x", "q:=null"], '"q" must be a text'],
  [["POST", "/v1/x", "a=1", "a:=2"], '"a" is given twice'],
  [["GET", "/v1/usage", "--input", "x.json"], "GET has no body"],
  [["POST", "/v1/x", "a=1", "--input", "x.json"], "either fields or --input"],
  [["POST", "/v1/x", "--input", "missing.json"], "missing.json cannot be read"],
  [["POST", "/v1/x", "--input", "-"], "Pipe the input"],
  [["POST", "/v1/x", "--content-type", "text/csv\n"], "must be a media type"],
])("refuses %j before it calls the service", async (words, message) => {
  const { code, out, err, seen } = await scripted(...words);
  expect([code === 0, out]).toEqual([false, ""]);
  expect(err).toContain(message);
  expect(err).not.toMatch(/secret|evil/);
  expect(seen).toEqual([]);
});

it("needs a service", async () => {
  expect(await opzoek(["api", "GET", "/v1/usage"], world.environment)).toMatchObject({
    code: 2,
    err: expect.stringContaining("OPZOEK_URL"),
  });
});
