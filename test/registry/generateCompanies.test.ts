import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { LEGAL_FORM_CODES, type LegalForm } from "../../src/contract/legalForms.ts";
import { passesElfproef, passesKvkCheck } from "../../src/contract/numbers.ts";
import { EXAMPLE_COMPANIES, OLD_EXAMPLE_NUMBER } from "../../src/demo/registry/examples.ts";
import {
  DEMO_COMPANIES,
  demoCompanies,
  generateCompanies,
} from "../../src/demo/registry/generateCompanies.ts";
import { DEMO_AS_OF, MAX_COMPANIES } from "../../src/demo/registry/numbers.ts";
import { PLACES } from "../../src/demo/registry/words/places.ts";
import { formatFacts, parseJsonLine } from "../../src/import/jsonl.ts";

const sourced = [...generateCompanies({ companies: 12_000, seed: 1 })];
const companies = sourced.map(({ facts }) => facts);
const WITHOUT_RSIN: ReadonlySet<LegalForm | undefined> = new Set(["EMZ", "VOF", "CV", "MTS", "REDE", "FGR"]);

function fingerprint(size: { companies: number; seed: number }): string {
  const hash = createHash("sha256");
  for (const company of generateCompanies(size)) hash.update(formatFacts(company));
  return hash.digest("hex");
}

function shareOf(predicate: (company: CompanyFacts) => boolean): number {
  return companies.filter(predicate).length / companies.length;
}

function everyCompany(predicate: (company: CompanyFacts) => boolean): void {
  expect(companies.filter((company) => !predicate(company)).slice(0, 3)).toEqual([]);
}

describe("generateCompanies", () => {
  it("returns the same companies for the same size and seed, others for another seed", () => {
    expect(fingerprint({ companies: 2_000, seed: 1 })).toBe(fingerprint({ companies: 2_000, seed: 1 }));
    expect(fingerprint({ companies: 2_000, seed: 1 })).not.toBe(fingerprint({ companies: 2_000, seed: 2 }));
  });

  it("rejects a number of companies and a seed that it does not support", () => {
    for (const companies of [0, -1, 1.5, Number.NaN, MAX_COMPANIES + 1]) {
      expect(() => generateCompanies({ companies, seed: 1 }).next()).toThrow(RangeError);
    }
    expect(() => generateCompanies({ companies: 1, seed: -1 }).next()).toThrow(/seed must be a whole number/);
  });

  it("states the data's origin and date", () => {
    expect(new Set(sourced.map(({ origin, asOf }) => `${origin} ${asOf}`))).toEqual(
      new Set([`demo ${DEMO_AS_OF}`]),
    );
  });

  it("writes lines that import reads back unchanged", () => {
    for (const company of sourced.slice(0, 4_000)) {
      expect(parseJsonLine(formatFacts(company))).toEqual({
        facts: company.facts,
        source: { origin: "demo", asOf: DEMO_AS_OF },
      });
    }
  });

  it("uses numbers that no company has, each once", () => {
    everyCompany(({ kvkNumber }) => kvkNumber >= "50000000" && !passesKvkCheck(kvkNumber));
    expect(new Set(companies.map(({ kvkNumber }) => kvkNumber)).size).toBe(companies.length);
    const branchNumbers = companies.flatMap(({ branches = [] }) =>
      branches.map((branch) => branch.branchNumber),
    );
    expect(new Set(branchNumbers).size).toBe(branchNumbers.length);
    everyCompany(({ websites = [] }) =>
      websites.every((site) => /^(www\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.example$/.test(site)),
    );
  });

  it("gives an RSIN that passes the elfproef and a statutory name to legal persons only", () => {
    everyCompany(({ rsin, statutoryName, legalForm }) =>
      WITHOUT_RSIN.has(legalForm)
        ? rsin === undefined && statutoryName === undefined
        : rsin !== undefined && passesElfproef(rsin) && statutoryName !== undefined,
    );
    const rsins = companies.flatMap(({ rsin }) => rsin ?? []);
    expect(new Set(rsins).size).toBe(rsins.length);
  });

  it("has every legal form, most of them sole traders and private companies", () => {
    expect(new Set(companies.map(({ legalForm }) => legalForm))).toEqual(new Set(LEGAL_FORM_CODES));
    expect(shareOf(({ legalForm }) => legalForm === "EMZ")).toBeCloseTo(0.43, 1);
    expect(shareOf(({ legalForm }) => legalForm === "BV")).toBeCloseTo(0.33, 1);
    expect(shareOf(({ legalForm }) => legalForm === "NV")).toBeLessThan(0.01);
  });

  it("dissolves about one company in twelve, after its registration and before the date of the data", () => {
    expect(shareOf(({ isActive }) => !isActive)).toBeCloseTo(0.08, 2);
    everyCompany(({ isActive, registrationDate = "", deregistrationDate }) =>
      isActive
        ? deregistrationDate === undefined
        : deregistrationDate !== undefined &&
          deregistrationDate >= registrationDate &&
          deregistrationDate < DEMO_AS_OF,
    );
    everyCompany(({ isActive, branches = [] }) => isActive || branches.every((branch) => !branch.isActive));
  });
});

describe("demoCompanies", () => {
  const demo = Array.from(demoCompanies(), ({ facts }) => facts);

  it("contains the documents' examples and generated companies, every number once", () => {
    expect(demo).toEqual(expect.arrayContaining([...EXAMPLE_COMPANIES]));
    expect(new Set(demo.map(({ kvkNumber }) => kvkNumber)).size).toBe(DEMO_COMPANIES);
    const branchNumbers = demo.flatMap(({ branches = [] }) =>
      branches.map(({ branchNumber }) => branchNumber),
    );
    expect(new Set(branchNumbers).size).toBe(branchNumbers.length);
    const rsins = demo.flatMap(({ rsin }) => rsin ?? []);
    expect(new Set(rsins).size).toBe(rsins.length);
  });

  it("uses numbers that no company has, one of them with a leading zero", () => {
    for (const { kvkNumber } of demo) {
      if (kvkNumber === OLD_EXAMPLE_NUMBER) expect(kvkNumber).toMatch(/^0[1-9]/);
      else
        expect([kvkNumber, passesKvkCheck(kvkNumber), kvkNumber < "50000000"]).toEqual([
          kvkNumber,
          false,
          false,
        ]);
    }
  });

  it("has complete examples: the main branch first, and facts consistent with their branches", () => {
    for (const {
      branches = [],
      branchCount,
      mainBranchNumber,
      address,
      legalForm,
      rsin,
    } of EXAMPLE_COMPANIES) {
      const { country: _country, kind: _kind, ...seat } = address ?? { kind: "visiting" };
      expect(branches[0]).toMatchObject({ branchNumber: mainBranchNumber, isMain: true, address: seat });
      expect(branches.length).toBe(branchCount);
      expect(rsin === undefined).toBe(WITHOUT_RSIN.has(legalForm));
      expect(rsin === undefined || passesElfproef(rsin)).toBe(true);
    }
  });
});

describe("addresses", () => {
  it("have a valid postal code within the range of their place", () => {
    const ranges = new Map(PLACES.map((place) => [place.name, place]));
    everyCompany(({ address }) => {
      if (address?.postalCode === undefined) return true;
      const place = ranges.get(address.city ?? "");
      const digits = Number(address.postalCode.slice(0, 4));
      return (
        /^[1-9][0-9]{3} (?!SA|SD|SS)[A-Z]{2}$/.test(address.postalCode) &&
        place !== undefined &&
        digits >= place.from &&
        digits <= place.to
      );
    });
  });

  it("show at most city and country when shielded, and nothing of a branch's location either", () => {
    const shielded = companies.filter(({ address }) => address?.isShielded);
    expect(shielded.length / companies.length).toBeGreaterThan(0.01);
    expect(shielded.length / companies.length).toBeLessThan(0.04);
    for (const { address, branches = [] } of shielded) {
      expect(
        Object.keys(address ?? {}).filter((key) => !["city", "country", "isShielded", "kind"].includes(key)),
      ).toEqual([]);
      for (const branch of branches) {
        expect(
          Object.keys(branch.address ?? {}).filter((key) => !["city", "isShielded"].includes(key)),
        ).toEqual([]);
      }
    }
  });

  it("are sometimes PO boxes or abroad, and house numbers have letters and additions", () => {
    expect(
      shareOf(({ address }) => address?.street === "Postbus" && address.kind === "correspondence"),
    ).toBeCloseTo(0.03, 2);
    const abroad = companies.filter(({ address }) => address?.country !== "NL");
    expect(abroad.length).toBeGreaterThan(50);
    for (const { address } of abroad) {
      expect(address?.postalCode ?? address?.houseNumber).toBeUndefined();
      expect(address?.isShielded || (address?.street?.length ?? 0) > 5).toBe(true);
    }
    const numbers = companies.flatMap(({ address }) => address?.houseNumber ?? []);
    expect(numbers.every((number) => /^[0-9]{1,4}[A-Za-z]?(-[A-Za-z0-9]+)?$/.test(number))).toBe(true);
    expect(numbers.some((number) => /^[0-9]+[A-Z]$/.test(number))).toBe(true);
    expect(numbers.some((number) => number.includes("-"))).toBe(true);
  });

  it("have the same postal code for the same street, place and range of house numbers", () => {
    const codes = new Map<string, string>();
    for (const { address, kind } of companies.map((company) => ({
      address: company.address,
      kind: company.address?.kind,
    }))) {
      if (address?.postalCode === undefined || kind !== "visiting") continue;
      const block = Math.floor(Number.parseInt(address.houseNumber ?? "", 10) / 24);
      const key = `${address.city} ${address.street} ${block}`;
      expect(codes.get(key) ?? address.postalCode).toBe(address.postalCode);
      codes.set(key, address.postalCode);
    }
  });
});

describe("names, branches and activities", () => {
  it("vary: hardly any name occurs twice among 12,000 companies", () => {
    expect(new Set(companies.map(({ name }) => name)).size / companies.length).toBeGreaterThan(0.97);
  });

  it("have the quirks that search must handle", () => {
    const names = companies.map(({ name }) => name);
    for (const quirk of [
      / B\.V\.$/,
      / BV$/,
      /^B\.V\. /,
      / & /,
      /^'t /,
      /'s /,
      /[éèëöüç]/,
      /ij/,
      /IJ/,
      /[0-9]/,
      /\bvan der /,
      /-/,
    ]) {
      expect(
        names.some((name) => quirk.test(name)),
        String(quirk),
      ).toBe(true);
    }
  });

  it("include zero to four trading names, each once", () => {
    const counts = new Set(companies.map(({ tradingNames = [] }) => tradingNames.length));
    expect([...counts].sort()).toEqual([0, 1, 2, 3, 4]);
    everyCompany(({ tradingNames = [] }) => new Set(tradingNames).size === tradingNames.length);
  });

  it("include one main branch, first, or no branch at all; a few companies have dozens", () => {
    everyCompany(
      ({ branches = [], branchCount, mainBranchNumber }) =>
        branchCount === branches.length &&
        mainBranchNumber === branches[0]?.branchNumber &&
        branches.every(
          (branch, index) =>
            branch.isMain === (index === 0) && branch.address !== undefined && !("country" in branch.address),
        ),
    );
    const counts = companies.map(({ branchCount = 0 }) => branchCount);
    expect(Math.max(...counts)).toBeGreaterThan(30);
    expect(Math.max(...counts)).toBeLessThanOrEqual(60);
    expect(counts.filter((count) => count > 1).length / counts.length).toBeCloseTo(0.05, 1);
  });

  it("include one main activity, first, and no activity twice", () => {
    everyCompany(
      ({ activities = [] }) =>
        activities.length > 0 &&
        activities.every(
          ({ isMain, description }, index) => isMain === (index === 0) && description !== undefined,
        ) &&
        new Set(activities.map(({ sbiCode }) => sbiCode)).size === activities.length,
    );
  });
});
