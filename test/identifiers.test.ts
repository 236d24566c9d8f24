/** EUIDs and LEIs as callers receive them, search and match by them, send them in lists and monitor them. */
import { beforeAll, describe, expect, it } from "vitest";
import type { SourcedFacts } from "../src/company/facts.ts";
import type { LeiFacts } from "../src/contract/identifiers.ts";
import { listen } from "../src/http/server.ts";
import { completed, type Listed } from "./jobs/lists.ts";
import { type Answer, inject, jsonOf, messageOf, numberIn } from "./kit/answer.ts";
import { ask } from "./kit/client.ts";
import { BAKERY, COMPANIES, FERRY, FROM_GLEIF, MERGED, SHIELDED, UNKNOWN } from "./kit/companies.ts";
import { expectDocumented, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { sharedPostgres } from "./kit/sharedPostgres.ts";
import { until } from "./kit/until.ts";
import { makeWorld } from "./kit/world.ts";
import { callerOf } from "./monitors/calls.ts";

const LEI = "99990050000012MO0192";
const OTHER_LEI = "99990051234567AB1209";
const OF_FUND = "99990009876543OW0147";
const ISSUED: LeiFacts = { lei: LEI, leiStatus: "issued", leiRenewalDue: "2027-02-03" };

/** A company of GLEIF with an LEI. */
function withLei(kvkNumber: string, identifiers: LeiFacts, more: Partial<SourcedFacts> = {}): SourcedFacts {
  const found = COMPANIES.find(({ origin, facts }) => origin === "gleif" && facts.kvkNumber === kvkNumber);
  const company = found ?? COMPANIES.find(({ facts }) => facts.kvkNumber === kvkNumber);
  if (company === undefined) throw new Error(`no company ${kvkNumber}`);
  return { ...company, origin: "gleif", ...more, facts: { ...company.facts, identifiers } };
}

const REGISTRY = [
  ...COMPANIES.filter(({ origin }) => origin !== "gleif"),
  withLei(FROM_GLEIF, ISSUED),
  withLei(MERGED, { lei: OTHER_LEI, leiStatus: "lapsed" }),
  withLei(BAKERY, { lei: OF_FUND, leiStatus: "issued" }, { isFund: true, asOf: "2026-02-01T00:00:00.000Z" }),
];

let service: InProcess;
let key: string;
let port: number;
beforeAll(async () => {
  service = await composeInProcess(await makeWorld({ companies: REGISTRY }), {
    listOptions: { pollEveryMs: 20 },
  });
  ({ key } = await service.account("plenty"));
  port = Number(new URL(await listen(service.app, "127.0.0.1", 0)).port);
});

const call = (path: string, body?: unknown): Promise<Answer> =>
  inject(service.app, { path, key, ...(body !== undefined && { method: "POST", body }) });

describe("an enriched company", () => {
  it.each([
    [FROM_GLEIF, { euid: `NLNHR.${FROM_GLEIF}`, ...ISSUED }],
    [MERGED, { euid: `NLNHR.${MERGED}`, lei: OTHER_LEI, leiStatus: "lapsed" }],
    [BAKERY, { euid: `NLNHR.${BAKERY}`, rsin: "123456782" }],
    [FERRY, { euid: "NLNHR.01234567" }],
    [SHIELDED, { euid: `NLNHR.${SHIELDED}` }],
  ])("%s has the identifiers that its origins state, and the EUID", async (kvkNumber, identifiers) => {
    const answer = await call(`/v1/lookup/${kvkNumber}?enrich=true`);
    expectDocumented({ method: "GET", path: "/v1/lookup/{kvkNumber}" }, answer);
    expect(Object(jsonOf(answer)).identifiers).toEqual(identifiers);
    expect(Object(jsonOf(await call(`/v1/lookup/${kvkNumber}`)))).not.toHaveProperty("identifiers");
  });
});

describe("a search", () => {
  const found = async (query: string) => {
    const answer = await call(`/v1/search?${query}`);
    expectDocumented({ method: "GET", path: "/v1/search" }, answer);
    const { results, total } = jsonOf(answer) as { results: { kvkNumber: string }[]; total: number };
    expect(total).toBe(results.length);
    return results.map(({ kvkNumber }) => kvkNumber);
  };

  it.each([
    [`lei=${LEI}`, [FROM_GLEIF]],
    [`lei=${LEI.toLowerCase().replace(/(.{4})/g, "$1%20")}`, [FROM_GLEIF]],
    [`lei=${OTHER_LEI}`, [MERGED]],
    [`lei=${OF_FUND}`, []],
    [`euid=NLNHR.${FERRY}`, [FERRY]],
    [`euid=nlnhr%20${FERRY}`, [FERRY]],
    [`euid=NLNHR.${UNKNOWN}`, []],
    [`lei=${LEI}&euid=NLNHR.${FROM_GLEIF}`, [FROM_GLEIF]],
    [`lei=${LEI}&euid=NLNHR.${FERRY}`, []],
    [`lei=${LEI}&isActive=true&city=Sagendam&postalCode=5678&legalForm=BV&q=legende`, [FROM_GLEIF]],
    [`lei=${LEI}&isActive=false`, []],
    [`lei=${LEI}&q=bakkerij&fuzzy=false`, []],
    [`euid=NLNHR.${BAKERY}&sbiCode=1071`, [BAKERY]],
    [`euid=NLNHR.${BAKERY}&sbiCode=62`, []],
    [`euid=NLNHR.${SHIELDED}`, [SHIELDED]],
    [`euid=NLNHR.${SHIELDED}&postalCode=9876`, []],
    [`euid=NLNHR.${FERRY}&page=2`, []],
    [`q=${LEI}`, [FROM_GLEIF]],
  ])("by %s finds %j", async (query, companies) => {
    if (query.endsWith("page=2"))
      return expect(jsonOf(await call(`/v1/search?${query}`))).toMatchObject({ results: [], total: 1 });
    expect(await found(query)).toEqual(companies);
  });

  it.each([
    [`lei=${LEI.slice(0, -1)}3`, "lei must be an LEI"],
    ["lei=", "lei must be an LEI"],
    [`euid=DEK1101R.HRB116737`, "euid must be a Dutch EUID"],
    [`euid=${FERRY}`, "euid must be a Dutch EUID"],
  ])("by %s is refused, and names the field", async (query, message) => {
    const answer = await call(`/v1/search?${query}`);
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toContain(message);
  });

  it("does not find a forgotten company", async () => {
    const { suppressed } = service.state;
    await suppressed.forget({ kvkNumber: MERGED, vatNumbers: [], forgottenAtMs: 0 });
    const queries = [`lei=${OTHER_LEI}`, `euid=NLNHR.${MERGED}`, `q=${OTHER_LEI}`];
    await until("the company is hidden", async () => {
      const all = await Promise.all(queries.map(found));
      return all.flat().length === 0;
    });
    await suppressed.undoForget(MERGED);
  });
});

describe("a match", () => {
  it.each([
    [{ lei: LEI }, "matched", { lei: 1 }, []],
    [{ lei: LEI.toLowerCase(), name: "Legendefonds" }, "matched", { lei: 1 }, []],
    [{ euid: `NLNHR${FROM_GLEIF}`, name: "Legendefonds B.V." }, "matched", { euid: 1 }, []],
    [{ lei: LEI, euid: `NLNHR.${FERRY}` }, "ambiguous", {}, ["numbers_differ"]],
    [{ lei: LEI, kvkNumber: FROM_GLEIF }, "matched", { lei: 1, kvkNumber: 1 }, []],
    [{ lei: LEI, name: "Bakkerij De Fabelkorst B.V." }, "ambiguous", {}, ["name_differs"]],
    [{ lei: OF_FUND, name: "Legendefonds B.V." }, "ambiguous", { lei: 0 }, ["number_unknown"]],
    [{ euid: `NLNHR.${UNKNOWN}`, name: "Legendefonds B.V." }, "ambiguous", { euid: 0 }, ["number_unknown"]],
    [{ lei: OF_FUND, name: "Bakkerij De Fabelkorst B.V." }, "matched", {}, ["number_unknown"]],
    [{ lei: "n.v.t.", name: "Legendefonds B.V." }, "matched", {}, []],
    [{ lei: "12345", name: "Legendefonds B.V." }, "matched", {}, ["number_unusable"]],
    [{ euid: "DEK1101R.HRB116737", name: "Legendefonds B.V." }, "matched", {}, ["number_unusable"]],
  ])("of %j is %s", async (query, decision, features, notes) => {
    const answer = await call("/v1/match", { queries: [query] });
    expectDocumented({ method: "POST", path: "/v1/match" }, answer);
    const { results } = jsonOf(answer) as {
      results: { notes?: { code: string }[]; candidates: unknown[] }[];
    };
    expect(results[0]).toMatchObject({ decision });
    if (Object.keys(features).length > 0) expect(results[0]?.candidates[0]).toMatchObject({ features });
    expect(results[0]?.notes?.map(({ code }) => code) ?? []).toEqual(notes);
  });

  it.each([
    [{ lei: "12345" }, "lei must be an LEI"],
    [{ euid: "12345678" }, "euid must be a Dutch EUID"],
  ])("of %j alone fails, and costs nothing", async (query, message) => {
    const answer = await call("/v1/match", { queries: [query] });
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    expect(jsonOf(answer)).toMatchObject({
      results: [{ error: { code: "INVALID_REQUEST", message: expect.stringContaining(message) } }],
    });
  });
});

describe("an EUID instead of a KVK number", () => {
  it.each([false, true])("is answered once, and charged once, in a batch (enriched: %j)", async (enrich) => {
    const kvkNumbers = [`nlnhr. ${BAKERY}`, BAKERY, `NLNHR${FERRY}`, `NLNHR.${UNKNOWN}`, "NLNHR.123"];
    const answer = await call("/v1/lookup/batch", { kvkNumbers, enrich });
    expect(jsonOf(answer)).toMatchObject({
      results: [{ kvkNumber: BAKERY }, { kvkNumber: FERRY }],
      failed: [
        { kvkNumber: `NLNHR.${UNKNOWN}`, error: { code: "NOT_FOUND" } },
        { kvkNumber: "NLNHR.123", error: { code: "INVALID_KVK_NUMBER" } },
      ],
    });
    expect(numberIn(answer, "x-tokens-charged")).toBe(enrich ? 10 : 2);
  });

  it("is not accepted in a path", async () => {
    expectError(await call(`/v1/lookup/NLNHR.${BAKERY}`), "INVALID_KVK_NUMBER");
  });

  async function listed(kind: string, body: string): Promise<string> {
    const headers = { "content-type": "text/csv" };
    const sent = await ask({ port }, { method: "POST", path: `/v1/jobs?kind=${kind}`, key, headers, body });
    const { id } = await completed({ port }, key, (jsonOf(sent) as Listed).id);
    return (await ask({ port }, { path: `/v1/jobs/${id}/results?format=csv`, key })).text;
  }

  it("is answered under the text as sent, and charged once, in a list with the identifiers as columns", async () => {
    const text = await listed(
      "lookup.enriched",
      `kvkNumber\nNLNHR.${FROM_GLEIF}\n${FROM_GLEIF}\nnlnhr ${FERRY}\n`,
    );
    const [head = "", ...lines] = text.replace("\uFEFF", "").trimEnd().split("\r\n");
    const rows = lines.map((line) =>
      Object.fromEntries(line.split(",").map((cell, at) => [head.split(",")[at], cell])),
    );
    expect(rows).toMatchObject([
      { number: `NLNHR.${FROM_GLEIF}`, euid: `NLNHR.${FROM_GLEIF}`, ...ISSUED },
      { number: `nlnhr ${FERRY}`, euid: `NLNHR.${FERRY}`, lei: "", leiStatus: "", leiRenewalDue: "" },
    ]);
  });

  it.each(["LEI;EUID", "LEI-code;EUID-nummer", "lei nummer;euid"])(
    "and an LEI are read from the columns %s",
    async (head) => {
      const text = await listed("match", `${head}\n${LEI};\n;NLNHR.${FERRY}\n${LEI};NLNHR.${FERRY}\n`);
      expect(text).toContain(FROM_GLEIF);
      expect(text.match(/matched/g)).toHaveLength(2);
      expect(text).toContain("the numbers belong to different companies");
    },
  );
});

describe("test keys", () => {
  it("find a company with every identifier, and by each of them", async () => {
    const account = await service.account("plenty");
    const test = (await service.accounts.createKey(account.id, "test", "test")).key;
    const get = async (path: string) => jsonOf(await inject(service.app, { path, key: test }));
    const { identifiers } = (await get("/v1/lookup/99990001?enrich=true")) as { identifiers: LeiFacts };
    expect(Object.keys(identifiers).toSorted()).toEqual([
      "euid",
      "lei",
      "leiRenewalDue",
      "leiStatus",
      "rsin",
    ]);
    for (const query of [`lei=${identifiers.lei}`, "euid=NLNHR.99990001"])
      expect(await get(`/v1/search?${query}`)).toMatchObject({
        total: 1,
        results: [{ kvkNumber: "99990001" }],
      });
  });
});

describe.each([
  ["sqlite", async () => ({})],
  ["postgres", async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("identifiers") })],
])("a monitor (%s)", (_store, environment) => {
  it("reports a changed LEI and a changed status of it, and no new date of renewal", async () => {
    // The registry of version 1.1.0 had no LEIs.
    const before = withLei(FROM_GLEIF, {});
    const { identifiers: _none, ...withoutLei } = before.facts;
    const world = await makeWorld({
      companies: [{ ...before, facts: withoutLei }],
      environment: await environment(),
    });
    const watched = await composeInProcess(world, { nowMs: Date.now() });
    await watched.app.ready();
    const calls = await callerOf(watched);
    await calls.added([FROM_GLEIF]);
    const dated = (day: number) => ({ asOf: `2026-02-0${day}T00:00:00.000Z` });
    const versions: readonly (readonly [LeiFacts, name: string])[] = [
      [ISSUED, "Legendefonds Nul B.V."],
      [{ ...ISSUED, leiRenewalDue: "2028-02-03" }, "Legendefonds Een B.V."],
      [{ ...ISSUED, leiStatus: "lapsed" }, "Legendefonds Een B.V."],
      [{ lei: OTHER_LEI, leiStatus: "issued" }, "Legendefonds Een B.V."],
      [{ lei: OTHER_LEI }, "Legendefonds Twee B.V."],
    ];
    for (const [nth, [identifiers, name]] of versions.entries()) {
      const company = withLei(FROM_GLEIF, identifiers, dated(nth + 1));
      await world.import([{ ...company, facts: { ...company.facts, name } }]);
      // Each version changes something else that is an event.
      await until("the import was compared", async () => (await calls.changes()).events.length === nth + 1);
    }
    const { events } = await calls.changes();
    expect(events.map(({ type, changes }) => [type, changes["identifiers"]])).toEqual([
      ["company.renamed", undefined],
      ["company.renamed", undefined],
      [
        "company.lei_changed",
        {
          previous: { ...ISSUED, leiRenewalDue: "2028-02-03" },
          current: { ...ISSUED, leiStatus: "lapsed" },
        },
      ],
      [
        "company.lei_changed",
        { previous: { ...ISSUED, leiStatus: "lapsed" }, current: { lei: OTHER_LEI, leiStatus: "issued" } },
      ],
      ["company.renamed", undefined],
    ]);
  });
});
