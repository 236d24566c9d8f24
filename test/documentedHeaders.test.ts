/**
 * Each response has the headers that the API document describes for it, and no other that a browser's script may read.
 */
import { beforeAll, expect, it } from "vitest";
import { EXPOSED_HEADERS } from "../src/http/headers.ts";
import { begun, completed } from "./jobs/lists.ts";
import type { Answer, TestRequest } from "./kit/answer.ts";
import { ask } from "./kit/client.ts";
import { BAKERY, UNKNOWN } from "./kit/companies.ts";
import { documented } from "./kit/contractAnswer.ts";
import { type Served, serveHere } from "./kit/serveHere.ts";
import { makeWorld, PLENTY } from "./kit/world.ts";

/** Headers that a response may omit. */
const OPTIONAL = ["idempotency-replayed"];
const LIST = { "content-type": "application/x-ndjson" };
const LOOKUP = "/v1/lookup/{kvkNumber}";
const RESULTS = "/v1/jobs/{jobId}/results";

let service: Served;
let keys: Readonly<Record<"plenty" | "penniless", string>>;
let jobId: string;
beforeAll(async () => {
  const world = await makeWorld({
    tiers: { penniless: { ...PLENTY, monthlyTokens: 0 } },
  });
  const keyOf = async (tier: string) => (await world.account(tier)).key;
  keys = {
    plenty: await keyOf("plenty"),
    penniless: await keyOf("penniless"),
  };
  service = await serveHere(world);
  jobId = (await begun(service, keys.plenty, [BAKERY])).id;
  await completed(service, keys.plenty, jobId);
});

function headersOf({ headers }: Answer): string[] {
  return EXPOSED_HEADERS.map((name) => name.toLowerCase()).filter((name) => headers[name] !== undefined);
}

const tagOf = async (path: string) => (await ask(service, { path, key: keys.plenty })).headers["etag"] ?? "";
const lookup = `/v1/lookup/${BAKERY}`;
const idempotent = { "idempotency-key": "documented-headers" };
const results = () => `/v1/jobs/${jobId}/results`;

it.each<[string, string, number, () => TestRequest | Promise<TestRequest>]>([
  ["a company", LOOKUP, 200, () => ({ path: lookup, key: keys.plenty })],
  [
    "one that is repeated",
    LOOKUP,
    200,
    async () => {
      const request = { path: lookup, key: keys.plenty, headers: idempotent };
      await ask(service, request);
      return request;
    },
  ],
  [
    "one that is held",
    LOOKUP,
    304,
    async () => ({
      path: lookup,
      key: keys.plenty,
      headers: { "if-none-match": await tagOf(lookup) },
    }),
  ],
  ["bad input", LOOKUP, 400, () => ({ path: "/v1/lookup/1", key: keys.plenty })],
  ["no key", LOOKUP, 401, () => ({ path: lookup })],
  ["no company", LOOKUP, 404, () => ({ path: `/v1/lookup/${UNKNOWN}`, key: keys.plenty })],
  [
    "another call with a key for repeating",
    LOOKUP,
    409,
    () => ({
      path: `${lookup}?enrich=true`,
      key: keys.plenty,
      headers: idempotent,
    }),
  ],
  ["no token left", LOOKUP, 429, () => ({ path: lookup, key: keys.penniless })],
  ["a search", "/v1/search", 200, () => ({ path: "/v1/search?q=fabelkorst", key: keys.plenty })],
  ["suggestions", "/v1/autocomplete", 200, () => ({ path: "/v1/autocomplete?q=fabel", key: keys.plenty })],
  [
    "no verdict",
    "/v1/validate/vat/{vatNumber}",
    502,
    () => ({
      path: "/v1/validate/vat/DE136695976",
      key: keys.plenty,
    }),
  ],
  ["usage", "/v1/usage", 200, () => ({ path: "/v1/usage", key: keys.plenty })],
  ["health", "/v1/health", 200, () => ({ path: "/v1/health" })],
  [
    "a list",
    "post /v1/jobs",
    202,
    () => ({
      method: "POST",
      path: "/v1/jobs?kind=lookup",
      key: keys.plenty,
      headers: LIST,
      body: `"${BAKERY}"`,
    }),
  ],
  [
    "a batch of another type",
    "post /v1/lookup/batch",
    415,
    () => ({
      method: "POST",
      path: "/v1/lookup/batch",
      key: keys.plenty,
      headers: { "content-type": "text/plain" },
      body: "x",
    }),
  ],
  ["results", RESULTS, 200, () => ({ path: results(), key: keys.plenty })],
  [
    "a part of them",
    RESULTS,
    206,
    () => ({
      path: results(),
      key: keys.plenty,
      headers: { range: "bytes=0-1" },
    }),
  ],
  [
    "what lies beyond them",
    RESULTS,
    416,
    () => ({
      path: results(),
      key: keys.plenty,
      headers: { range: "bytes=999999-" },
    }),
  ],
])("%s", async (_what, operation, status, request) => {
  const answer = await ask(service, await request());
  expect(answer.status).toBe(status);
  const [method = "", path = ""] = operation.includes(" ") ? operation.split(" ") : ["get", operation];
  const described = Object.keys(Object(documented(method, path, status, "headers"))).map((name) =>
    name.toLowerCase(),
  );
  const mayLack = status === 409 ? [...OPTIONAL, "retry-after"] : OPTIONAL;
  const present = headersOf(answer);
  expect(described).toEqual(expect.arrayContaining(present));
  expect(present).toEqual(expect.arrayContaining(described.filter((name) => !mayLack.includes(name))));
});
