import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { add, companyFacts, current, sourcedFacts, temporaryFolder } from "../../test/kit/registry.ts";
import { withVersions } from "../company/activities.ts";
import type { SourcedFacts } from "../company/facts.ts";
import { cleanFacts } from "../company/merge.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { generateCompanies } from "../demo/registry/generateCompanies.ts";
import { readPointer } from "./directory.ts";
import { importFacts } from "./importFacts.ts";

const KVK = { origin: "kvk-api", asOf: "2026-03-01T00:00:00.000Z" };
const GLEIF = { origin: "gleif", asOf: "2026-02-01T00:00:00.000Z" };
const LATER = "2026-06-01T00:00:00.000Z";

const number = (of: number): KvkNumber => companyFacts(of).kvkNumber;

describe("importFacts", () => {
  it("stores every company completely", async () => {
    const directory = temporaryFolder();
    const all = [...generateCompanies({ companies: 400, seed: 3 })];
    const { snapshot: info, counts } = await importFacts(directory, all, { replace: false });
    expect(counts).toEqual({ new: 400, changed: 0, unchanged: 0, repeated: 0 });
    const snapshot = current(directory);
    expect(snapshot.info).toEqual(info);
    const records = [...snapshot.all()];
    expect(records).toHaveLength(400);
    for (const [index, { asOf, facts }] of [...all]
      .sort((a, b) => Number(a.facts.kvkNumber) - Number(b.facts.kvkNumber))
      .entries()) {
      const { branches, vatNumber, address, ...rest } = withVersions(cleanFacts(facts));
      const { kind: _kind, ...shown } = address ?? { kind: "visiting" };
      const { kvkNumber: euid, rsin } = rest;
      const identifiers = { euid: `NLNHR.${euid}`, ...(rsin !== undefined && { rsin }) };
      const company = { ...rest, identifiers, address: shown, source: { kvk: "demo", cachedAt: asOf } };
      expect(records[index]).toEqual({
        company,
        ...(branches === undefined ? {} : { branches }),
        ...(vatNumber === undefined ? {} : { vatNumber }),
      });
      const { kvkNumber, name, isActive, registrationDate, source } = company;
      const known = registrationDate === undefined ? {} : { registrationDate };
      expect(snapshot.basic(kvkNumber)).toEqual({
        kvkNumber,
        name,
        address: shown,
        isActive,
        ...known,
        source,
      });
      expect(snapshot.enriched(kvkNumber)?.company).toEqual(company);
      expect(snapshot.branches(kvkNumber)).toEqual({ kvkNumber, name, branches, origin: source?.kvk });
    }
  });

  it("returns a company and its branches as inactive from its date of deregistration on", async () => {
    const branches = [{ branchNumber: "000000000001", isMain: true, isActive: true }];
    const facts = { isActive: true, deregistrationDate: "2030-12-31", branches };
    const directory = temporaryFolder();
    await add(
      directory,
      sourcedFacts(1, facts, KVK),
      sourcedFacts(2, facts, KVK),
      sourcedFacts(2, {}, GLEIF),
    );
    const snapshot = current(directory);
    try {
      for (const [now, isActive] of [
        ["2030-12-30T23:59:59Z", true],
        ["2030-12-31T00:00:00Z", false],
      ] as const) {
        vi.useFakeTimers({ now: Date.parse(now), toFake: ["Date"] });
        for (const kvkNumber of [number(1), number(2)]) {
          expect(snapshot.basic(kvkNumber)?.isActive).toBe(isActive);
          expect(snapshot.enriched(kvkNumber)?.company.isActive).toBe(isActive);
          expect(snapshot.branches(kvkNumber)?.branches?.[0]?.isActive).toBe(isActive);
        }
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps leading zeros of KVK numbers", async () => {
    const directory = temporaryFolder();
    const kvkNumber = "00000042" as KvkNumber;
    await add(directory, sourcedFacts(1, { kvkNumber }));
    expect(current(directory).basic(kvkNumber)?.kvkNumber).toBe("00000042");
    expect(current(directory).autocomplete("000000", 8)[0]?.kvkNumber).toBe("00000042");
  });

  it("returns undefined for unknown companies and branches", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1), sourcedFacts(2, { branches: [] }));
    const snapshot = current(directory);
    expect(snapshot.basic(number(3))).toBeUndefined();
    expect(snapshot.enriched(number(3))).toBeUndefined();
    expect(snapshot.branches(number(3))).toBeUndefined();
    expect(snapshot.branches(number(1))?.branches).toBeUndefined();
    expect(snapshot.branches(number(2))?.branches).toEqual([]);
  });

  it("stores only city and country of a shielded address", async () => {
    const directory = temporaryFolder();
    const address = {
      kind: "visiting",
      street: "Geheimstraatje",
      houseNumber: "7",
      postalCode: "1234 AB",
      city: "Utrecht",
      country: "NL",
      isShielded: true,
    } as const;
    const branch = { branchNumber: "000000000001", isMain: true, isActive: true, address };
    await add(directory, sourcedFacts(1, { address, branches: [branch] }));
    expect(current(directory).basic(number(1))?.address).toEqual({
      city: "Utrecht",
      country: "NL",
      isShielded: true,
    });
    expect(current(directory).branches(number(1))?.branches?.[0]?.address).toEqual({
      city: "Utrecht",
      isShielded: true,
    });
    const bytes = readFileSync(join(directory, current(directory).info.file));
    expect(bytes.includes("Geheimstraatje") || bytes.includes("1234ab")).toBe(false);
  });

  it("adds to the registry and counts new, changed and unchanged companies", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1), sourcedFacts(2), sourcedFacts(3));
    const later = { origin: "demo", asOf: LATER };
    const { counts } = await add(
      directory,
      sourcedFacts(4, {}, later),
      sourcedFacts(2, { name: "Nieuwe Naam" }, later),
      sourcedFacts(3, {}, later),
    );
    expect(counts).toEqual({ new: 1, changed: 1, unchanged: 1, repeated: 0 });
    const snapshot = current(directory);
    expect([...snapshot.all()].map(({ company }) => company.name)).toEqual([
      "Voorbeeld 1 B.V.",
      "Nieuwe Naam",
      "Voorbeeld 3 B.V.",
      "Voorbeeld 4 B.V.",
    ]);
    expect(snapshot.basic(number(3))?.source?.cachedAt).toBe(LATER);
    expect(snapshot.autocomplete("nieuwe naam", 8)).toHaveLength(1);
    expect(snapshot.autocomplete("voorbeeld 2", 8)).toHaveLength(0);
    expect(snapshot.info.origins).toEqual([{ origin: "demo", companies: 4, asOf: LATER }]);
  });

  it("replaces everything on request", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1), sourcedFacts(2));
    const { counts } = await importFacts(directory, [sourcedFacts(2)], { replace: true });
    expect(counts.new).toBe(1);
    expect(current(directory).info.companies).toBe(1);
  });

  it("ignores older facts of the same origin", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1, { name: "Huidige Naam" }, { origin: "demo", asOf: LATER }));
    const { counts } = await add(directory, sourcedFacts(1, { name: "Oude Naam" }));
    expect(counts).toEqual({ new: 0, changed: 0, unchanged: 1, repeated: 0 });
    expect(current(directory).basic(number(1))?.name).toBe("Huidige Naam");
  });

  it("uses the newest facts about a company in an import, and the last of equal dates", async () => {
    const directory = temporaryFolder();
    const { counts } = await add(
      directory,
      sourcedFacts(1, { name: "Nieuwst" }, { origin: "demo", asOf: LATER }),
      sourcedFacts(1, { name: "Ouder" }),
      sourcedFacts(2, { name: "Eerst" }),
      sourcedFacts(2, { name: "Laatst" }),
    );
    expect(counts).toEqual({ new: 2, changed: 0, unchanged: 0, repeated: 2 });
    expect([1, 2].map((of) => current(directory).basic(number(of))?.name)).toEqual(["Nieuwst", "Laatst"]);
  });

  it("merges origins with the same result in one import or several, in any order", async () => {
    const kvk = sourcedFacts(1, { name: "Volgens KVK", rsin: "123456782" }, KVK);
    const gleif = sourcedFacts(
      1,
      { name: "According to GLEIF", legalForm: "BV", address: { kind: "visiting", city: "Zeist" } },
      GLEIF,
    );
    const expected = {
      kvkNumber: number(1),
      name: "Volgens KVK",
      isActive: true,
      rsin: "123456782",
      identifiers: { euid: `NLNHR.${number(1)}`, rsin: "123456782" },
      legalForm: "BV",
      address: { city: "Zeist" },
      source: { kvk: "gleif", cachedAt: GLEIF.asOf },
    };
    for (const imports of [[[kvk, gleif]], [[gleif], [kvk]], [[kvk], [gleif]]]) {
      const directory = temporaryFolder();
      for (const facts of imports) await add(directory, ...facts);
      expect(current(directory).enriched(number(1))?.company).toEqual(expected);
      expect(current(directory).info.origins).toEqual([
        { origin: "gleif", companies: 1, asOf: GLEIF.asOf },
        { origin: "kvk-api", companies: 1, asOf: KVK.asOf },
      ]);
    }
  });

  it("keeps the facts of each origin for later merges", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1, { employees: { total: 5, fullTime: 4 }, rsin: "123456782" }, KVK));
    await add(directory, sourcedFacts(1, { employees: { total: 7 } }, { ...GLEIF, asOf: LATER }));
    expect(current(directory).enriched(number(1))?.company).toMatchObject({
      employees: { total: 7 },
      rsin: "123456782",
    });
    // GLEIF's newer record lacks the employees, so KVK's number counts again.
    const { counts } = await add(
      directory,
      sourcedFacts(1, {}, { ...GLEIF, asOf: "2026-07-01T00:00:00.000Z" }),
    );
    expect(counts.changed).toBe(1);
    expect(current(directory).enriched(number(1))?.company).toMatchObject({
      employees: { total: 5, fullTime: 4 },
      rsin: "123456782",
    });
    await add(directory, sourcedFacts(2));
    expect(current(directory).enriched(number(1))?.company.employees).toEqual({ total: 5, fullTime: 4 });
  });

  it("never replaces a company by a fund that it manages, in any order and with any dates", async () => {
    const manager = sourcedFacts(1, { name: "Beheer B.V." }, GLEIF);
    const fund = {
      ...sourcedFacts(1, { name: "Wereldfonds" }, { ...GLEIF, asOf: LATER }),
      isFund: true,
    } as const;
    const newerManager = { ...manager, asOf: "2026-08-01T00:00:00.000Z" };
    const courses: SourcedFacts[][][] = [
      [[fund, manager]],
      [[manager, fund]],
      [[fund], [manager]],
      [[manager], [fund]],
      [[manager], [fund], [fund]],
      [[manager, fund], [newerManager]],
      [[fund], [sourcedFacts(1, { name: "Beheer B.V." }, KVK)]],
      [[sourcedFacts(1, { name: "Beheer B.V." }, KVK)], [fund]],
    ];
    for (const imports of courses) {
      const directory = temporaryFolder();
      for (const facts of imports) await add(directory, ...facts);
      expect(current(directory).enriched(number(1))?.company).toMatchObject({ name: "Beheer B.V." });
      expect(current(directory).enriched(number(1))?.company).not.toHaveProperty("isFund");
      await add(directory, sourcedFacts(2));
      expect(current(directory).basic(number(1))?.name).toBe("Beheer B.V.");
    }
    const directory = temporaryFolder();
    await add(directory, manager, fund);
    expect(current(directory).basic(number(1))?.name).toBe("Beheer B.V.");
    await importFacts(directory, [fund], { replace: true });
    expect(current(directory).basic(number(1))?.name).toBe("Wereldfonds");
    expect(current(directory).factsOf(number(1), "gleif")).toMatchObject({ isFund: true });
  });

  it("reports a company as unchanged when another origin adds nothing", async () => {
    const directory = temporaryFolder();
    await add(directory, sourcedFacts(1, { rsin: "123456782" }, KVK));
    expect((await add(directory, sourcedFacts(1, {}, GLEIF))).counts).toMatchObject({
      changed: 0,
      unchanged: 1,
    });
  });

  it("builds nothing without facts", async () => {
    const directory = temporaryFolder();
    expect((await add(directory)).snapshot).toBeUndefined();
    expect(readPointer(directory)).toBeUndefined();
    await add(directory, sourcedFacts(1));
    expect((await importFacts(directory, [], { replace: true })).snapshot).toBeUndefined();
    expect(current(directory).info.companies).toBe(1);
  });

  it("reports its progress", async () => {
    const stages = new Set<string>();
    await importFacts(temporaryFolder(), [sourcedFacts(1)], {
      replace: false,
      onProgress: ({ stage, done, total }) => {
        stages.add(stage);
        if (total !== undefined) expect(done).toBeLessThanOrEqual(total);
      },
    });
    expect([...stages]).toEqual(["writing companies", "indexing", "finishing", "checking"]);
  });
});
