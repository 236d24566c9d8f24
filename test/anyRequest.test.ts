/** Any URL, header or JSON gets a success or an error of the contract, never a 500 and never HTML. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { type Answer, inject, jsonOf } from "./kit/answer.ts";
import { BAKERY, FERRY, UNKNOWN } from "./kit/companies.ts";
import { expectBalance, expectContractError, expectDocumented } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { amount } from "./kit/thorough.ts";
import { makeWorld, type TestAccount } from "./kit/world.ts";

let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  service = await composeInProcess(await makeWorld());
  account = await service.account("plenty");
});

function expectContract(answer: Answer): void {
  expect(answer.status).not.toBe(500);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  if (answer.status >= 400) expectContractError(answer);
  else expect(jsonOf(answer)).not.toHaveProperty("error");
  expectBalance(answer);
}

const digits = fc.stringMatching(/^[0-9]{0,9}$/);
const encoded = fc
  .string({ unit: "binary", maxLength: 60 })
  .map((text) => encodeURIComponent(text.toWellFormed()));
const escapes = fc.stringMatching(/^(%[0-9a-fA-Fg]{0,2}|[a-z]){0,12}$/);
const value = fc.oneof(
  digits,
  encoded,
  escapes,
  fc.constantFrom(
    "true",
    "false",
    "yes",
    "",
    "0",
    "1",
    "20",
    "-1",
    "1e9",
    "NaN",
    "null",
    BAKERY,
    "fabel",
    "BV",
  ),
);
const parameter = fc.tuple(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom("q", "limit", "enrich", "city", "postalCode", "legalForm", "sbiCode"),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom("isActive", "page", "pageSize", "__proto__", "toString", "apikey"),
    },
    { weight: 1, arbitrary: encoded },
    { weight: 1, arbitrary: escapes },
  ),
  value,
);
const path = fc.oneof(
  fc.constantFrom(
    "/v1/autocomplete",
    "/v1/search",
    "/v1/match",
    "/v1/usage",
    "/v1/lookup/batch",
    `/v1/lookup/${BAKERY}`,
  ),
  value.map((part) => `/v1/lookup/${part}`),
  value.map((part) => `/v1/lookup/${part}/branches`),
  fc.array(value, { maxLength: 4 }).map((parts) => `/v1/nowhere/${parts.join("/")}`),
  fc.array(escapes, { maxLength: 4 }).map((parts) => `/v1/${parts.join("/")}x`),
);
const url = fc
  .tuple(path, fc.array(parameter, { maxLength: 4 }))
  .map(([start, pairs]) => `${start}?${pairs.map(([name, text]) => `${name}=${text}`).join("&")}`);

it("the service answers any URL with a valid key as the contract states", async () => {
  await fc.assert(
    fc.asyncProperty(url, fc.constantFrom("GET", "GET", "GET", "POST", "DELETE"), async (request, method) => {
      expectContract(await inject(service.app, { method, path: request, key: account.key }));
    }),
    { numRuns: amount({ ordinary: 120, thorough: 1_500 }) },
  );
});

it("the service answers any accepted search as the API document states", async () => {
  const text = fc.oneof(
    fc.constantFrom("fabel", "bakkerij", "proef 1", "B.V.", "5000", "01234567", "é&'", "sage dam"),
    fc.string({ unit: "grapheme", minLength: 2, maxLength: 12 }),
    fc.string({ unit: "binary", minLength: 2, maxLength: 12 }).map((odd) => odd.toWellFormed()),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom("autocomplete", "search"), async (q, where) => {
      const answer = await inject(service.app, {
        path: `/v1/${where}?q=${encodeURIComponent(q)}`,
        key: account.key,
      });
      expectContract(answer);
      if (answer.status === 200) expectDocumented({ method: "GET", path: `/v1/${where}` }, answer);
    }),
    { numRuns: amount({ ordinary: 40, thorough: 400 }) },
  );
});

const number = fc.oneof(
  fc.constantFrom(BAKERY, FERRY, UNKNOWN),
  digits,
  fc.string({ unit: "binary", maxLength: 40 }),
);
const batchBody = fc.oneof(
  fc.record({ kvkNumbers: fc.array(number, { maxLength: 12 }), enrich: fc.boolean() }, { requiredKeys: [] }),
  fc.record({ kvkNumbers: fc.array(fc.jsonValue(), { maxLength: 4 }) }),
  fc.dictionary(
    fc.constantFrom("kvkNumbers", "enrich", "__proto__", "constructor", "toJSON"),
    fc.jsonValue(),
  ),
  fc.jsonValue(),
);

const text = fc.string({ unit: "binary", maxLength: 40 });
const query = fc.oneof(
  fc.record(
    {
      id: text,
      name: text,
      city: text,
      postalCode: text,
      street: text,
      houseNumber: text,
      kvkNumber: number,
    },
    { requiredKeys: [] },
  ),
  fc.record({ rsin: text, vatNumber: text, website: text }, { requiredKeys: [] }),
  fc.dictionary(fc.constantFrom("id", "name", "city", "rsin", "__proto__", "toJSON"), fc.jsonValue()),
  fc.jsonValue(),
);
const matchBody = fc.record(
  {
    queries: fc.oneof(fc.array(query, { maxLength: 6 }), fc.jsonValue()),
    limit: fc.oneof(fc.integer({ min: -1, max: 12 }), fc.jsonValue()),
    isActive: fc.oneof(fc.boolean(), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

it.each<[path: string, body: fc.Arbitrary<unknown>]>([
  ["/v1/lookup/batch", batchBody],
  ["/v1/match", matchBody],
])(
  "the service answers any JSON body as the contract states, and an accepted one as the API document states: %s",
  async (path, body) => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await inject(service.app, {
          method: "POST",
          path,
          key: account.key,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(sent) ?? "null",
        });
        expectContract(answer);
        if (answer.status === 200) expectDocumented({ method: "POST", path }, answer);
      }),
      { numRuns: amount({ ordinary: 75, thorough: 1_000 }) },
    );
  },
);

it("the service answers any text instead of a JSON body or a key as the contract states", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.stringMatching(/^[{}[\]",:0-9a-z\\ ]{0,40}$/),
  );
  await fc.assert(
    fc.asyncProperty(text, async (sent) => {
      const request = {
        method: "POST",
        path: "/v1/lookup/batch",
        headers: { "content-type": "application/json" },
      };
      expectContract(await inject(service.app, { ...request, key: account.key, body: sent }));
      const keyless = await inject(service.app, {
        path: `/v1/usage?apikey=${encodeURIComponent(sent.toWellFormed())}`,
      });
      expectContractError(keyless);
      expect(keyless.status).toBe(401);
    }),
    { numRuns: amount({ ordinary: 40, thorough: 500 }) },
  );
});
