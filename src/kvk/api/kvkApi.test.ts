import { describe, expect, it } from "vitest";
import { apiOver, budgetOf, forty, kvk, simulator } from "../../../test/kit/kvkSimulator.ts";
import type { CompanyFacts } from "../../company/facts.ts";
import type { Deviation } from "../../company/rejection.ts";
import type { Address, Branch } from "../../contract/resources.ts";
import type { SourceResult } from "../liveSource.ts";
import type { KvkApi } from "./kvkApi.ts";

const long = () => AbortSignal.timeout(120_000);

function factsIn(result: SourceResult<CompanyFacts>): CompanyFacts {
  if (result.kind !== "found") throw new Error(result.reason);
  return result.value;
}

/** Fetches a company with its branches: the profile, then the list. */
async function branchesOf(api: KvkApi, number: string): Promise<SourceResult<CompanyFacts>> {
  const own = await api.company(kvk(number), long());
  return own.kind === "found" ? api.branches({ facts: own.value, asOf: own.asOf }, long()) : own;
}

/** The facts of a profile alone, in which branches are known only if there are none. */
function toldByProfile(facts: CompanyFacts): CompanyFacts {
  const { branches = [], branchCount: _count, vatNumber: _vat, websites, ...rest } = facts;
  const main = branches.find(({ isMain }) => isMain);
  const isKnownToHaveNone = main === undefined && Object.hasOwn(facts, "address");
  const { employees: _employees, ...withoutStaff } = rest;
  return {
    ...(main === undefined ? withoutStaff : rest),
    ...(websites !== undefined && websites.length > 0 && { websites }),
    ...(main !== undefined && { mainBranchNumber: main.branchNumber }),
    ...(isKnownToHaveNone && { branches: [], branchCount: 0 }),
    // Companies of the simulator began on the day of their registration.
    ...(rest.registrationDate !== undefined && { startDate: rest.registrationDate }),
  };
}

/** Street and number as one text: in KVK's one-line texts `3A` and `3-A` are the same. */
const plain = ({ street, houseNumber = "", ...rest }: Address = {}) => ({
  ...rest,
  line: `${street}${houseNumber}`.replaceAll(/[- ]/g, ""),
});

describe("a company", () => {
  it("is returned completely with one paid call, for each of forty", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator);
    const companies = forty(kvkSimulator);
    expect(companies.length).toBe(40);
    expect(new Set(companies.map(({ legalForm }) => legalForm)).size).toBeGreaterThan(15);
    const words = await Promise.all(companies.map(({ kvkNumber }) => api.company(kvkNumber, long())));
    for (const [index, facts] of companies.entries()) {
      const result = words[index];
      expect(result).toMatchObject({ kind: "found" });
      if (result?.kind === "found") expect(result.value, facts.name).toEqual(toldByProfile(facts));
    }
    expect(kvkSimulator.counts.products).toMatchObject({
      basisprofiel: { requests: 40 },
      vestigingen: { requests: 0 },
      vestigingsprofiel: { requests: 0 },
    });
  });

  it("is not found if KVK does not know it or returns another number", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator);
    expect(await api.company(kvk("12345678"), long())).toMatchObject({
      kind: "not-found",
      reason: "IPD0005",
    });
    kvkSimulator.setFault("basisprofiel", { kind: "deviate", field: "kvkNummer", value: "90000020" });
    expect(await api.company(kvk("90000010"), long())).toMatchObject({
      kind: "no-answer",
      cause: "outage",
      reason: "UNREADABLE",
    });
  });
});

describe("the branches of a company", () => {
  const byNumber = (branches: readonly Branch[]) =>
    Object.fromEntries(branches.map((branch) => [branch.branchNumber, branch]));

  it("need the profile and one list, and include all active ones, for each of forty", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator);
    for (const facts of forty(kvkSimulator)) {
      const received = factsIn(await branchesOf(api, facts.kvkNumber));
      const expected = (facts.branches ?? []).filter(({ isActive, isMain }) => isActive || isMain);
      expect(received.branches?.length, facts.name).toBe(expected.length);
      expect(received.branchCount).toBe(expected.length);
      const found = byNumber(received.branches ?? []);
      for (const branch of expected) {
        const one = found[branch.branchNumber];
        expect(one).toMatchObject({ isMain: branch.isMain, isActive: facts.isActive, name: branch.name });
        const { address } = branch;
        if (address?.isShielded) expect(one?.address).toMatchObject({ isShielded: true });
        else if (address?.postalCode !== undefined) expect(plain(one?.address)).toEqual(plain(address));
      }
    }
  });

  it("need no call for a known profile, and none at all without branches", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator);
    const held = async (number: string) => {
      const result = await api.company(kvk(number), long());
      return { facts: factsIn(result), asOf: "2026-10-03T21:02:05.698Z" };
    };
    const appel = await held("90000010");
    const result = await api.branches(appel, long());
    expect(result).toMatchObject({ kind: "found", asOf: appel.asOf });
    expect(result).toEqual({ ...(await branchesOf(api, "90000010")), asOf: appel.asOf });
    const owners = await held("90000060");
    const { requests } = kvkSimulator.counts.all;
    expect(await api.branches(owners, long())).toMatchObject({ value: { branches: [], branchCount: 0 } });
    expect(kvkSimulator.counts.all.requests).toBe(requests);
  });

  it("need a Vestigingsprofiel for each missing address, and are partial when one fails", async () => {
    const kvkSimulator = await simulator();
    const budget = budgetOf();
    const api = apiOver(kvkSimulator, { budget });
    const result = await branchesOf(api, "90000130");
    expect(budget.spent).toBe(4);
    expect(result).not.toHaveProperty("isPartial");
    expect(factsIn(result).branches?.map(({ address }) => address?.city)).toEqual([
      "Nergenshuizen",
      "Sprookjesdam",
      "Sprookjesdam",
      "Sprookjesdam",
    ]);
    kvkSimulator.setFault("vestigingsprofiel", { kind: "code", code: "IPD1003" });
    const partial = await branchesOf(api, "90000130");
    expect(partial).toMatchObject({ isPartial: true });
    expect(factsIn(partial).branches?.map(({ address }) => address?.city)).toEqual([
      "Nergenshuizen",
      "Sprookjesdam",
      undefined,
      undefined,
    ]);
  });

  it("are not returned when the list fails; without a list there is only the main branch", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator);
    kvkSimulator.setFault("vestigingen", { kind: "code", code: "IPD9999" });
    expect(await branchesOf(api, "90000010")).toMatchObject({ kind: "no-answer" });
    kvkSimulator.setFault("vestigingen", { kind: "deviate", field: "vestigingen", value: "leeg" });
    expect(await branchesOf(api, "90000010")).toMatchObject({ reason: "UNREADABLE" });
    kvkSimulator.setFault("vestigingen", { kind: "code", code: "IPD0005" });
    expect(factsIn(await branchesOf(api, "90000010")).branches).toMatchObject([{ isMain: true }]);
  });

  it("hide the address of a main branch that only the list shields", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator);
    kvkSimulator.setFault("vestigingen", { kind: "deviate", field: "indAdresAfgeschermd", value: "Ja" });
    for (const number of ["90000010", "90000110"]) {
      const { address, branches } = factsIn(await branchesOf(api, number));
      expect(Object.keys(address ?? {}).sort()).toEqual(
        number === "90000010" ? ["city", "country", "isShielded", "kind"] : ["country", "isShielded", "kind"],
      );
      for (const branch of branches ?? []) expect(branch.address).not.toHaveProperty("street");
    }
  });
});

describe("a field that changes its form", () => {
  it("is absent and reported once; the rest is unchanged", async () => {
    const kvkSimulator = await simulator();
    const received: Deviation[] = [];
    const api = apiOver(kvkSimulator, { onDeviation: (deviation) => received.push(deviation) });
    kvkSimulator.setFault("*", { kind: "deviate", field: "handelsnamen", value: { een: "Appel" } });
    const facts = factsIn(await api.company(kvk("90000010"), long()));
    expect(facts).toMatchObject({ name: "Eenzame Appel", legalForm: "EMZ" });
    expect(facts).not.toHaveProperty("tradingNames");
    await api.company(kvk("90000010"), long());
    kvkSimulator.setFault("*", { kind: "deviate", field: "postcode", value: 9999 });
    await api.company(kvk("90000010"), long());
    await api.company(kvk("90000120"), long());
    expect(received).toEqual([
      { path: "handelsnamen", kind: "object" },
      { path: "_embedded.hoofdvestiging.adressen[].postcode", kind: "number" },
      { path: "_embedded.eigenaar.rechtsvorm", kind: "unmapped" },
    ]);
  });

  it.each([
    ...["naam", "statutaireNaam", "sbiActiviteiten", "adressen", "eigenaar", "hoofdvestiging", "_embedded"],
    ...[
      "materieleRegistratie",
      "formeleRegistratiedatum",
      "vestigingen",
      "vestigingsnummer",
      "volledigAdres",
    ],
    ...["totaalWerkzamePersonen", "resultaten", "adres", "totaal", "binnenlandsAdres", "plaats", "_links"],
  ])("%s, never breaks a call", async (field) => {
    const kvkSimulator = await simulator({ companies: [] });
    const api = apiOver(kvkSimulator);
    for (const value of [null, 7, -1, "", "anders", [], [[]], {}, { "": {} }, true]) {
      kvkSimulator.setFault("*", { kind: "deviate", field, value });
      const words = await Promise.all([
        branchesOf(api, "90000030"),
        api.search({ q: "appel", page: 1, pageSize: 5 }, long()),
      ]);
      for (const { kind } of words) expect(["found", "no-answer"]).toContain(kind);
    }
  });
});

describe("a search", () => {
  it("returns one hit per company, page by page, for any order and number of rows", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator);
    const page = async (number: number, pageSize: number, q = "bv") => {
      const word = await api.search({ q, page: number, pageSize }, long());
      if (word.kind !== "found") throw new Error(word.reason);
      return word.value;
    };
    const all = await page(1, 1_000, "stichting");
    expect(all.isTotalExact).toBe(true);
    expect(all.hits.length).toBe(all.total);
    expect(new Set(all.hits.map(({ kvkNumber }) => kvkNumber)).size).toBe(all.total);
    const paged = [await page(1, 7, "stichting"), await page(2, 7, "stichting")];
    expect(paged.flatMap(({ hits }) => hits)).toEqual(all.hits.slice(0, 14));
    expect(await page(40, 25, "stichting")).toMatchObject({ hits: [], total: all.total });
    expect(await page(1, 10, "postduif")).toMatchObject({
      hits: [{ kvkNumber: "90000030", name: "Postduif B.V.", city: "Nergenshuizen", isActive: true }],
      total: 1,
    });
    expect(await page(1, 10, "nergensbestaand")).toEqual({ hits: [], total: 0, isTotalExact: true });
  });

  it("filters by KVK number and city, and includes inactive companies on request", async () => {
    const kvkSimulator = await simulator();
    const api = apiOver(kvkSimulator);
    const hits = async (criteria: object) => {
      const word = await api.search({ page: 1, pageSize: 100, ...criteria }, long());
      return word.kind === "found" ? word.value.hits : word;
    };
    expect(await hits({ q: "90000060" })).toMatchObject([{ name: "VvE Luchtkasteel" }]);
    expect(await hits({ q: "appel", city: "sprookjesdam" })).toEqual([]);
    expect(await hits({ q: "voorbij" })).toEqual([]);
    expect(await hits({ q: "voorbij", includeInactive: true })).toMatchObject([
      { name: "Voorbij B.V.", isActive: false },
    ]);
    expect(await hits({ city: "nergenshuizen" })).toHaveProperty("length");
  });

  it("reads only the rows that a page needs, and marks an unknown total", async () => {
    const many = Array.from({ length: 450 }, (_, index) => ({
      kvkNumber: kvk(String(70_000_000 + index)),
      name: `Veelvoud ${index}`,
      isActive: true,
    }));
    const kvkSimulator = await simulator({ companies: many });
    const api = apiOver(kvkSimulator);
    const word = await api.search({ q: "veelvoud", page: 1, pageSize: 10 }, long());
    expect(word).toMatchObject({ value: { total: 100, isTotalExact: false } });
    expect(kvkSimulator.counts.products.zoeken.requests).toBe(1);
    const last = await api.search({ q: "veelvoud", page: 45, pageSize: 10 }, long());
    expect(last).toMatchObject({ value: { hits: { length: 10 }, total: 450, isTotalExact: true } });
  });
});
