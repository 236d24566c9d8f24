/** The price of each operation in openapi.json is the charge of a call with a live key. */
import { beforeAll, describe, expect, it } from "vitest";
import { PRICES } from "../src/contract/prices.ts";
import { ENDPOINTS } from "../src/http/endpoints/all.ts";
import { textOf } from "./architecture/repository.ts";
import { inject, jsonOf, numberIn } from "./kit/answer.ts";
import { BAKERY, FERRY } from "./kit/companies.ts";
import { composeInProcess, type InProcess, NOON } from "./kit/inProcess.ts";
import { PEPPOL_ON, storeOnPeppol } from "./kit/peppolAnswers.ts";
import { type ValidCall, validCall } from "./kit/validCalls.ts";
import { REGISTERED, startVies } from "./kit/vies.ts";
import { makeWorld, type TestAccount } from "./kit/world.ts";

interface Operation {
  readonly "x-price"?: { readonly tokens: number; readonly rule?: string };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
const { paths } = JSON.parse(textOf("openapi.json")) as Document;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    price: operation["x-price"],
  })),
);
const priceOf = (called: string) => operations.find(({ name }) => name === called)?.price;

/** Basic calls, where the usual valid call is enriched. */
const BASIC: Readonly<Record<string, Omit<ValidCall, "method">>> = {
  "GET /v1/lookup/{kvkNumber}": { path: `/v1/lookup/${BAKERY}` },
  "POST /v1/lookup/batch": { path: "/v1/lookup/batch", body: { kvkNumbers: [BAKERY] } },
};

let service: InProcess;
let account: TestAccount;
/** Ids of an existing list and monitor, by the name of their parameter. */
const ids: Record<string, string> = { eventId: "evt_0123456789abcdefABCDEF" };

async function charge(call: ValidCall): Promise<number> {
  const answer = await inject(service.app, { ...call, key: account.key });
  expect([call.path, answer.status]).toEqual([call.path, expect.toBeOneOf([200, 202, 404, 409])]);
  return numberIn(answer, "x-tokens-charged");
}

beforeAll(async () => {
  const vies = await startVies({ companyOf: () => REGISTERED });
  service = await composeInProcess(await makeWorld({ environment: { VIES_URL: vies.url, ...PEPPOL_ON } }));
  await storeOnPeppol(service.state, NOON);
  account = await service.account("pro");
  const made = async (call: ValidCall) => jsonOf(await inject(service.app, { ...call, key: account.key }));
  const headers = { "content-type": "application/x-ndjson" };
  // Its cap keeps it from ending.
  const path = "/v1/jobs?kind=lookup&maxTokens=1";
  const job = await made({ method: "POST", path, body: `"${BAKERY}"\n"${FERRY}"\n`, headers });
  expect(job).toMatchObject({ id: expect.any(String) });
  ids["jobId"] = Object(job).id;
  const body = { kvkNumbers: [BAKERY] };
  const monitors = await made({ method: "POST", path: "/v1/monitors", body });
  expect(monitors).toMatchObject({ results: [{ id: expect.any(String) }] });
  ids["monitorId"] = Object(monitors).results[0].id;
});

describe("x-price", () => {
  const documented = ENDPOINTS.filter(({ specification }) => specification === undefined).map((endpoint) => {
    const name = `${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}`;
    return [name, endpoint] as const;
  });

  it("is stated by every operation, and by no other", () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(documented.map(([name]) => name).sort());
    for (const { name, price } of operations)
      expect([name, price?.tokens]).toEqual([name, expect.any(Number)]);
  });

  it.each(documented)("of %s is the charge of a plain call", async (name, endpoint) => {
    const path = endpoint.path.replaceAll(/:(\w+Id)/g, (_, id: string) => ids[id] ?? "");
    const call = { ...validCall({ ...endpoint, path }), ...BASIC[name] };
    const tokens = priceOf(name)?.tokens;
    if (endpoint.auth === "none") expect(tokens).toBe(0);
    else expect(await charge(call)).toBe(tokens);
  });

  const enriched = PRICES["lookup.enriched"];
  it.each<[called: string, rule: RegExp, calls: Omit<ValidCall, "method">[], charges: number[]]>([
    [
      "GET /v1/lookup/{kvkNumber}",
      /\b1\b.*enriched 5\b.*\b1 if neither/,
      [{ path: `/v1/lookup/${BAKERY}?enrich=true` }],
      [enriched],
    ],
    [
      "POST /v1/lookup/batch",
      /each company returned 1\b.*enriched 5\b/,
      [
        { path: "/v1/lookup/batch", body: { kvkNumbers: [BAKERY, BAKERY, "00000000", "1"] } },
        { path: "/v1/lookup/batch", body: { kvkNumbers: [BAKERY], enrich: true } },
      ],
      [1, enriched],
    ],
    [
      "GET /v1/autocomplete",
      /^1; in a typing session the next 40 calls within 3 minutes 0$/,
      [1, 2].map(() => ({ path: "/v1/autocomplete?q=fabel&session=typing-session-0001" })),
      [1, 0],
    ],
    [
      "POST /v1/match",
      /^1 for each valid query$/,
      [{ path: "/v1/match", body: { queries: [{ name: "Fabelkorst" }, { name: "Niemendal" }] } }],
      [2],
    ],
  ])("of %s has the rule of its other calls", async (called, rule, calls, charges) => {
    expect(priceOf(called)?.rule).toMatch(rule);
    const [method = ""] = called.split(" ");
    const charged: number[] = [];
    for (const call of calls) charged.push(await charge({ method, ...call }));
    expect(charged).toEqual(charges);
  });

  it("of a list and of monitors states the prices of later charges", () => {
    expect(priceOf("POST /v1/jobs")?.rule).toMatch(/^0; .*result 1, enriched 5,.*; for each valid row 1$/);
    expect(priceOf("POST /v1/monitors")?.rule).toMatch(/^0; 1 for each change/);
  });
});
