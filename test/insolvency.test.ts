/** Insolvency of test companies through every door, with charges; curators are shown in lookups and batches alone. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { begun, completed, send } from "./jobs/lists.ts";
import { type Answer, jsonOf, numberIn } from "./kit/answer.ts";
import { ask } from "./kit/client.ts";
import { BAKERY } from "./kit/companies.ts";
import { type Served, serveHere } from "./kit/serveHere.ts";
import { makeWorld, type World } from "./kit/world.ts";
import { connected } from "./mcp/hosts.ts";

const [BANKRUPT, ENDED, WITHOUT, UNKNOWN] = ["99990019", "99990021", "99990022", "99990006"] as const;
const OBSERVED = { observedAt: "2026-01-08T03:30:00.000Z", source: "court-register" };
const OPEN_CASE = {
  ...{ type: "bankruptcy", ...OBSERVED, since: "2026-01-06" },
  ...{ court: "Rechtbank Teststad", caseNumber: "F.99/26/1" },
};
const ENDED_CASE = {
  ...{ type: "none", ...OBSERVED, since: "2025-09-02", endedOn: "2025-12-12" },
  ...{ court: "Rechtbank Teststad", caseNumber: "S.99/25/2" },
};
const NONE = { type: "none", ...OBSERVED };
const CURATORS = [{ name: "mr. T. Proefcurator", city: "Teststad", phone: "010-0000000" }];
const CURATOR = "Proefcurator";

let world: World;
let service: Served;
let keys: { readonly live: string; readonly test: string };

beforeAll(async () => {
  world = await makeWorld();
  keys = await world.withAccounts(async (accounts) => {
    const { id } = await accounts.create("insolvency@fabel.example", "plenty");
    const [live, test] = [await accounts.createKey(id, "live"), await accounts.createKey(id, "test", "test")];
    return { live: live.key, test: test.key };
  });
  service = await serveHere(world);
});

const get = (path: string, key = keys.test) => ask(service, { path, key });
const post = (path: string, body: unknown) => ask(service, { method: "POST", path, key: keys.test, body });
const fields = (answer: Answer) => jsonOf(answer) as Readonly<Record<string, unknown>>;
const charge = (answer: Answer) => numberIn(answer, "x-tokens-charged");

describe("a test key", () => {
  it.each([
    [BANKRUPT, { ...OPEN_CASE, curators: CURATORS }],
    [ENDED, ENDED_CASE],
    [WITHOUT, NONE],
    [UNKNOWN, undefined],
  ])(
    "gets the insolvency of %s in enriched lookups and batches, and not in basic ones",
    async (number, insolvency) => {
      expect(fields(await get(`/v1/lookup/${number}?enrich=true`))["insolvency"]).toEqual(insolvency);
      const enriched = jsonOf(await post("/v1/lookup/batch", { kvkNumbers: [number], enrich: true }));
      expect(enriched).toMatchObject({ results: [{ kvkNumber: number }] });
      expect(JSON.stringify(enriched).includes(CURATOR)).toBe(number === BANKRUPT);
      for (const basic of [
        await get(`/v1/lookup/${number}`),
        await post("/v1/lookup/batch", { kvkNumbers: [number] }),
      ]) {
        expect(basic.text).not.toContain("insolvency");
      }
    },
  );

  it("finds companies by insolvency for the price of a search", async () => {
    const numbersOf = (answer: Answer) =>
      (fields(answer)["results"] as { kvkNumber: string }[]).map(({ kvkNumber }) => kvkNumber).toSorted();
    const insolvent = await get("/v1/search?city=Teststad&insolvent=true");
    expect(insolvent.status).toBe(200);
    expect(charge(insolvent)).toBe(1);
    expect([numbersOf(insolvent), fields(insolvent)["total"]]).toEqual([[BANKRUPT], 1]);
    const others = await get("/v1/search?city=Teststad&insolvent=false");
    expect([numbersOf(others), fields(others)["total"]]).toEqual([[ENDED, WITHOUT], 2]);
    expect(numbersOf(await get("/v1/search?q=stichting&insolvent=false"))).toEqual([WITHOUT]);
    const alone = await get("/v1/search?insolvent=true");
    expect([alone.status, charge(alone)]).toEqual([400, 0]);
  });

  it("finds them with the tool of a language model, without curators", async () => {
    const client = await connected(service.address, keys.test, "2026");
    const call = async (name: string, input: object) =>
      JSON.stringify(((await client.callTool({ name, arguments: { ...input } })) as CallToolResult).content);
    const found = await call("search_companies", { city: "Teststad", insolvent: true });
    expect(found).toContain(BANKRUPT);
    expect(found).not.toContain(CURATOR);
    expect(await call("lookup_company", { kvkNumber: BANKRUPT, enrich: true })).toContain(CURATOR);
  });

  it("gets lists of insolvencies at a token for each company, as JSON lines and CSV without curators", async () => {
    const sent = [BANKRUPT, ENDED, WITHOUT, UNKNOWN, "99990404", "99990502"];
    const { id, tokens } = await begun(service, keys.test, sent, "kind=insolvency");
    expect(tokens.estimated).toBe(6);
    expect(await completed(service, keys.test, id)).toMatchObject({
      counts: { found: 4, failed: 2 },
      tokens: { charged: 4 },
    });
    const { text } = await get(`/v1/jobs/${id}/results`);
    const lines = text.trimEnd().split("\n");
    expect(lines.slice(0, 4).map((line) => JSON.parse(line) as object)).toEqual([
      {
        number: BANKRUPT,
        result: { kvkNumber: BANKRUPT, name: "Test Faillissement B.V.", insolvency: OPEN_CASE },
      },
      {
        number: ENDED,
        result: { kvkNumber: ENDED, name: "Test Surseance Voorbij B.V.", insolvency: ENDED_CASE },
      },
      {
        number: WITHOUT,
        result: { kvkNumber: WITHOUT, name: "Stichting Test Geen Insolventie", insolvency: NONE },
      },
      { number: UNKNOWN, result: { kvkNumber: UNKNOWN, name: "Test Schilderwerken Proefpersoon" } },
    ]);
    const codes = lines.slice(4).map((line) => (JSON.parse(line) as { error: { code: string } }).error.code);
    expect(codes).toEqual(["NOT_FOUND", "UPSTREAM_ERROR"]);
    const csv = (await get(`/v1/jobs/${id}/results?format=csv`)).text.replace("\ufeff", "").split("\r\n");
    expect(csv.slice(0, 3)).toEqual([
      "number,kvkNumber,name,insolvency,since,endedOn,court,caseNumber,matchedBy,source,observedAt,errorCode,errorMessage",
      `${BANKRUPT},${BANKRUPT},Test Faillissement B.V.,bankruptcy,2026-01-06,,Rechtbank Teststad,F.99/26/1,,court-register,${OBSERVED.observedAt},,`,
      `${ENDED},${ENDED},Test Surseance Voorbij B.V.,none,2025-09-02,2025-12-12,Rechtbank Teststad,S.99/25/2,,court-register,${OBSERVED.observedAt},,`,
    ]);
    expect(csv.join()).not.toContain(CURATOR);
  });

  it("gets enriched lists with the insolvency and without curators", async () => {
    const { id } = await begun(service, keys.test, [BANKRUPT], "kind=lookup.enriched");
    await completed(service, keys.test, id);
    const { text } = await get(`/v1/jobs/${id}/results`);
    expect(JSON.parse(text)).toMatchObject({ result: { insolvency: OPEN_CASE } });
    expect(text + (await get(`/v1/jobs/${id}/results?format=csv`)).text).not.toContain(CURATOR);
  });
});

describe("a service without the court's register", () => {
  it.each(["true", "false"])("refuses a search for insolvent=%s free of charge", async (insolvent) => {
    const answer = await get(`/v1/search?q=bakkerij&insolvent=${insolvent}`, keys.live);
    expect([answer.status, charge(answer)]).toEqual([400, 0]);
    expect(jsonOf(answer)).toMatchObject({
      error: { code: "INVALID_REQUEST", message: expect.stringContaining("court's register") },
    });
  });

  it.each(["kind=insolvency", "kind=insolvency&dryRun=true"])("refuses a list at once: %s", async (query) => {
    const before = (await get("/v1/jobs", keys.live)).text;
    const answer = await send(service, keys.live, [BAKERY], query);
    expect(answer.status).toBe(400);
    expect(jsonOf(answer)).toMatchObject({
      error: { code: "INVALID_REQUEST", message: expect.stringContaining("court's register") },
    });
    expect((await get("/v1/jobs", keys.live)).text).toBe(before);
  });

  it("returns enriched companies without the field", async () => {
    expect((await get(`/v1/lookup/${BAKERY}?enrich=true`, keys.live)).text).not.toContain("insolvency");
  });
});
