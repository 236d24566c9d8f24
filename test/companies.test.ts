/** Companies as callers receive them: every oddity of a registry, and no invented data. */
import { beforeAll, describe, expect, it } from "vitest";
import { inject, jsonOf, numberIn } from "./kit/answer.ts";
import {
  BAKERY,
  ENDED,
  FERRY,
  FOREIGN,
  FROM_GLEIF,
  MERGED,
  NO_ADDRESS,
  PO_BOX,
  SHIELDED,
} from "./kit/companies.ts";
import { expectDocumented, expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { makeWorld, type TestAccount } from "./kit/world.ts";

let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  service = await composeInProcess(await makeWorld());
  account = await service.account("plenty");
});

const FABEL = { kvk: "import:fabel", cachedAt: "2026-01-01T00:00:00.000Z" };

async function get(path: string): Promise<{ body: unknown; charged: number }> {
  const answer = await inject(service.app, { path, key: account.key });
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return { body: jsonOf(answer), charged: numberIn(answer, "x-tokens-charged") };
}

const basic = async (number: string) => (await get(`/v1/lookup/${number}`)).body;

/** The paths of every value that is null or an empty text. */
function unknowns(value: unknown, path = ""): string[] {
  if (value === null || value === "" || value === "Onbekend") return [path];
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, part]) => unknowns(part, `${path}/${name}`));
}

describe("a basic lookup", () => {
  it("returns number, name, address, active status, registration date and source, and no more", async () => {
    const { body, charged } = await get(`/v1/lookup/${BAKERY}?enrich=false`);
    expect(charged).toBe(1);
    expect(body).toEqual({
      kvkNumber: BAKERY,
      name: "Bakkerij De Fabelkorst B.V.",
      address: {
        street: "Sprookjeslaan",
        houseNumber: "17M",
        postalCode: "1234 AB",
        city: "Verzinstad",
        country: "NL",
      },
      isActive: true,
      registrationDate: "2011-03-14",
      source: FABEL,
    });
  });

  it("preserves leading zeros", async () => {
    expect(await basic("01234567")).toMatchObject({
      kvkNumber: "01234567",
      name: "Stichting Het Verzonnen Veer",
    });
  });

  it("shows at most city and country of a shielded address, and marks it", async () => {
    expect(await basic(SHIELDED)).toMatchObject({
      address: { city: "Stilledorp", country: "NL", isShielded: true },
    });
    expect(Object.keys(Object(Object(await basic(SHIELDED)).address)).sort()).toEqual([
      "city",
      "country",
      "isShielded",
    ]);
  });

  it("shows foreign addresses as given, PO boxes as Postbus, and an unknown address as an empty object", async () => {
    expect(Object(await basic(FOREIGN)).address).toEqual({
      street: "Märchenweg 53",
      city: "X-13501 Fabelburg",
      country: "DE",
    });
    expect(Object(await basic(PO_BOX)).address).toEqual({
      street: "Postbus",
      houseNumber: "4711",
      postalCode: "3456 EF",
      city: "Sagendam",
      country: "NL",
    });
    expect(Object(await basic(NO_ADDRESS)).address).toEqual({});
  });

  it("shows that a company was dissolved", async () => {
    expect(await basic(ENDED)).toMatchObject({ isActive: false, registrationDate: "1999-12-31" });
  });

  it("of a company known to two origins merges the fresher name with one complete address", async () => {
    expect(await basic(MERGED)).toEqual({
      kvkNumber: MERGED,
      name: "Dubbelbron Holding N.V.",
      address: {
        street: "Bronweg",
        houseNumber: "2",
        postalCode: "6789 JK",
        city: "Verzinstad",
        country: "NL",
      },
      isActive: true,
      source: { kvk: "gleif", cachedAt: "2025-06-01T00:00:00.000Z" },
    });
  });
});

describe("an enriched lookup", () => {
  it("returns all known data", async () => {
    const { body, charged } = await get(`/v1/lookup/${BAKERY}?enrich=true`);
    expect(charged).toBe(5);
    expect(body).toEqual({
      ...Object(await basic(BAKERY)),
      // Nothing listens at this service's VIES address.
      vat: { number: "NL123456782B01", status: "unvalidated", checksumValid: true, origin: "rsin" },
      source: { ...FABEL, vies: "unvalidated" },
      tradingNames: ["Bakkerij De Fabelkorst", "Zuurdesemhuis Fabula"],
      legalForm: "BV",
      activities: [
        { sbiCode: "10711", description: "Vervaardiging van brood en vers banketbakkerswerk", isMain: true },
        { sbiCode: "0113", sbiVersion: "2008", description: "Teelt van groenten", isMain: false },
      ],
      statutoryName: "Bakkerij De Fabelkorst B.V.",
      rsin: "123456782",
      identifiers: { euid: `NLNHR.${BAKERY}`, rsin: "123456782" },
      nonMailing: true,
      employees: { total: 12, fullTime: 9, partTime: 3 },
      mainBranchNumber: "000050000001",
      branchCount: 2,
      websites: ["www.fabelkorst.example"],
    });
  });

  it("omits activities that the origin does not provide, and then costs as much as a basic one", async () => {
    const { body, charged } = await get(`/v1/lookup/${FROM_GLEIF}?enrich=true`);
    expect(charged).toBe(1);
    expect(body).toMatchObject({ name: "Legendefonds B.V.", legalForm: "BV" });
    expect(body).not.toHaveProperty("activities");
  });

  it("returns an empty list of activities when the origin states that there are none, at the enriched price", async () => {
    const { body, charged } = await get(`/v1/lookup/${FERRY}?enrich=true`);
    expect([Object(body).activities, charged]).toEqual([[], 5]);
  });

  it("never contains a null, an empty text or Onbekend, and is as documented", async () => {
    for (const number of [BAKERY, FERRY, SHIELDED, FOREIGN, PO_BOX, ENDED, FROM_GLEIF, MERGED, NO_ADDRESS]) {
      for (const query of ["", "?enrich=true"]) {
        const path = `/v1/lookup/${number}${query}`;
        const answer = await inject(service.app, { path, key: account.key });
        expectDocumented({ method: "GET", path: "/v1/lookup/:kvkNumber" }, answer);
        expect([path, unknowns(jsonOf(answer))]).toEqual([path, []]);
      }
    }
  });
});

describe("branches", () => {
  it("are listed with the main one first and without a country", async () => {
    const { body, charged } = await get(`/v1/lookup/${BAKERY}/branches`);
    expect(charged).toBe(5);
    expect(body).toEqual({
      kvkNumber: BAKERY,
      name: "Bakkerij De Fabelkorst B.V.",
      branches: [
        {
          branchNumber: "000050000001",
          name: "Bakkerij De Fabelkorst",
          isMain: true,
          isActive: true,
          address: { street: "Sprookjeslaan", houseNumber: "17M", postalCode: "1234 AB", city: "Verzinstad" },
        },
        {
          branchNumber: "000050000019",
          name: "Zuurdesemhuis Fabula",
          isMain: false,
          isActive: true,
          address: { street: "Mythestraat", houseNumber: "3-A", postalCode: "4321 BA", city: "Sagendam" },
        },
      ],
    });
  });

  it("are an empty list if the company has none, and NOT_HELD if they cannot be known", async () => {
    expect(Object((await get(`/v1/lookup/${FERRY}/branches`)).body).branches).toEqual([]);
    const unknown = await inject(service.app, {
      path: `/v1/lookup/${FROM_GLEIF}/branches`,
      key: account.key,
    });
    expectError(unknown, "NOT_HELD");
  });
});

describe("search", () => {
  const numbers = async (path: string): Promise<unknown[]> => {
    const { body } = await get(path);
    return (Object(body).results as readonly unknown[]).map((row) => Object(row).kvkNumber);
  };

  it("completes a name in any case, accents, dots and word order, active companies first", async () => {
    for (const q of ["bakkerij", "BAKKERIJ", "bákkèrij"]) {
      expect(await numbers(`/v1/autocomplete?q=${encodeURIComponent(q)}`)).toEqual([BAKERY, ENDED]);
    }
    for (const q of ["fabelkorst bakkerij bv", "bakkerij de fabelkorst B.V."]) {
      expect(await numbers(`/v1/autocomplete?q=${encodeURIComponent(q)}`)).toEqual([BAKERY]);
    }
  });

  it("returns the trading name that matched", async () => {
    const { body, charged } = await get("/v1/autocomplete?q=zuurdesem");
    expect(charged).toBe(1);
    expect(body).toEqual({
      results: [
        {
          kvkNumber: BAKERY,
          name: "Bakkerij De Fabelkorst B.V.",
          city: "Verzinstad",
          matchedName: "Zuurdesemhuis Fabula",
        },
      ],
    });
  });

  it("finds numbers by prefix, including leading zeros", async () => {
    expect(await numbers("/v1/autocomplete?q=0123")).toEqual([FERRY]);
    expect(await numbers("/v1/search?q=01234567")).toEqual([FERRY]);
  });

  it("finds a name with a typo and marks it as such, unless exact matching is requested", async () => {
    const fuzzy = { kvkNumber: BAKERY, isFuzzy: true };
    for (const path of [
      "/v1/autocomplete?q=fabelkrost",
      "/v1/search?q=fabelkrost",
      "/v1/search?q=fabelkrost&fuzzy=true",
    ]) {
      expect([path, (await get(path)).body]).toMatchObject([path, { results: [fuzzy] }]);
    }
    expect((await get("/v1/search?q=fabelkrost&fuzzy=false")).body).toMatchObject({ results: [], total: 0 });
    const exact = await get("/v1/search?q=fabelkorst&fuzzy=false");
    expect(Object(exact.body).results).toEqual([expect.not.objectContaining({ isFuzzy: expect.anything() })]);
  });

  it("returns an empty list for no hit, which costs a token too", async () => {
    const coverage = expect.objectContaining({ companies: expect.any(Number) });
    expect(await get("/v1/autocomplete?q=bestaatniet")).toEqual({
      body: { results: [], coverage },
      charged: 1,
    });
    expect(await get("/v1/search?q=bestaatniet")).toEqual({
      body: { results: [], total: 0, page: 1, pageSize: 10, coverage },
      charged: 1,
    });
  });

  it("returns at most the requested number of hits, eight by default", async () => {
    expect((await numbers("/v1/autocomplete?q=proefbedrijf")).length).toBe(8);
    expect((await numbers("/v1/autocomplete?q=proefbedrijf&limit=20")).length).toBe(20);
    expect((await numbers("/v1/autocomplete?q=proefbedrijf&limit=1")).length).toBe(1);
  });

  it("filters by every criterion, alone and combined", async () => {
    expect(await numbers("/v1/search?postalCode=1234")).toEqual([BAKERY]);
    expect(await numbers("/v1/search?postalCode=1234ab")).toEqual([BAKERY]);
    expect(await numbers("/v1/search?legalForm=COOP")).toEqual([NO_ADDRESS]);
    expect(await numbers("/v1/search?sbiCode=011")).toEqual([BAKERY]);
    expect(await numbers("/v1/search?isActive=false")).toEqual([ENDED]);
    expect(await numbers("/v1/search?city=verzinstad&isActive=true&legalForm=BV")).toEqual([BAKERY]);
    expect(await numbers("/v1/search?q=bakkerij&isActive=false")).toEqual([ENDED]);
  });

  it("does not find a shielded address by its postal code", async () => {
    expect(await numbers("/v1/search?postalCode=9876")).toEqual([]);
    expect(await numbers("/v1/search?q=geheimhof")).toEqual([SHIELDED]);
  });

  it("pages through every company once", async () => {
    const seen: unknown[] = [];
    for (let page = 1; page <= 12; page++) {
      const { body } = await get(`/v1/search?city=Proefdam&page=${page}&pageSize=10`);
      expect(body).toMatchObject({ total: 120, page, pageSize: 10 });
      seen.push(...(Object(body).results as readonly unknown[]).map((row) => Object(row).kvkNumber));
    }
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
    expect(await numbers("/v1/search?city=Proefdam&page=13&pageSize=10")).toEqual([]);
    expect((await numbers("/v1/search?city=Proefdam&page=10&pageSize=100")).length).toBe(0);
  });
});
