/** Codes of activities in both versions of the SBI: found by words, returned with their version, and searched by it. */
import { beforeAll, describe, expect, it } from "vitest";
import { inject, jsonOf, messageOf } from "./kit/answer.ts";
import { BAKERY } from "./kit/companies.ts";
import { expectDocumented, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { makeWorld, type TestAccount } from "./kit/world.ts";

let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  service = await composeInProcess(await makeWorld());
  account = await service.account("plenty");
});

const route = { method: "GET", path: "/v1/activities" } as const;
const get = (query: string, headers: Record<string, string> = {}) =>
  inject(service.app, { path: `/v1/activities?${query}`, headers });

describe("GET /v1/activities", () => {
  it("finds codes without a key, and anyone may cache the response", async () => {
    const answer = await get("q=bakkerij&sbiVersion=2025&limit=4");
    expectDocumented(route, answer);
    const { results } = jsonOf(answer) as { results: object[] };
    expect(results).toHaveLength(4);
    expect(results).toContainEqual({
      sbiCode: "10710",
      sbiVersion: "2025",
      description: "Vervaardiging van brood en vers banketbakkerswerk",
    });
    const { etag = "", "cache-control": caching } = answer.headers;
    expect(caching).toBe("public, max-age=86400");
    const again = await get("q=bakkerij&sbiVersion=2025&limit=4", { "if-none-match": etag });
    expect([again.status, again.text, again.headers["etag"]]).toEqual([304, "", etag]);
  });

  it.each([
    "",
    "q=",
    "q=b",
    `q=${"a".repeat(101)}`,
    "q=brood&limit=51",
    "q=brood&sbiVersion=2014",
    "q=brood&x=1",
  ])("refuses ?%s", async (query) => expectError(await get(query), "INVALID_REQUEST"));

  it.each(["%25%25", "%27%3B--", "....", "%F0%9F%98%80%F0%9F%98%80", "((((((", "%5B%5E%5D*"])(
    "finds nothing for odd texts: %s",
    async (q) => {
      const answer = await get(`q=${q}`);
      expect([answer.status, jsonOf(answer)]).toEqual([200, { results: [] }]);
    },
  );
});

describe("a company", () => {
  const call = (path: string) => inject(service.app, { path, key: account.key });

  it("has activities with the version that code, description and date show", async () => {
    const answer = await call(`/v1/lookup/${BAKERY}?enrich=true`);
    expect(jsonOf(answer)).toMatchObject({
      activities: [
        { sbiCode: "10711" },
        { sbiCode: "0113", sbiVersion: "2008", description: "Teelt van groenten" },
      ],
    });
  });

  it("is found by its code in one version, or in both", async () => {
    const numbers = async (query: string) => {
      const { results } = jsonOf(await call(`/v1/search?${query}`)) as { results: { kvkNumber: string }[] };
      return results.map(({ kvkNumber }) => kvkNumber);
    };
    expect(await numbers("sbiCode=0113")).toEqual([BAKERY]);
    expect(await numbers("sbiCode=0113&sbiVersion=both")).toEqual([BAKERY]);
    expect(await numbers("sbiCode=0113&sbiVersion=2008")).toEqual([BAKERY]);
    expect(await numbers("sbiCode=0113&sbiVersion=2025")).toEqual([]);
  });

  it("is not searched by a version alone", async () => {
    const answer = await call("/v1/search?q=bakkerij&sbiVersion=2025");
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toContain("sbiVersion needs sbiCode");
  });
});
