import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../test/kit/needs.ts";
import type { Rejection } from "../company/rejection.ts";
import { isJsonObject } from "../lib/values.ts";
import { groupRows, readZoeken } from "./zoeken.ts";

const RECORDED = sharedPath("data/kvk/recorded");

const visit = (plaats: string) => ({ binnenlandsAdres: { type: "bezoekadres", straatnaam: "Laan", plaats } });
const post = (plaats: string) => ({ binnenlandsAdres: { type: "postadres", plaats } });

function hitsOf(...resultaten: object[]) {
  const leftOut: Rejection[] = [];
  const result = readZoeken({ pagina: 1, totaal: resultaten.length, resultaten }, leftOut);
  return { hits: groupRows(result?.rows ?? []), leftOut: leftOut.map(({ reason }) => reason) };
}

describe("the rows of a company", () => {
  const main = {
    kvkNummer: "50000012",
    vestigingsnummer: "000050000012",
    naam: "Korenaar",
    type: "hoofdvestiging",
    adres: visit("Utrecht"),
  };
  const other = { ...main, vestigingsnummer: "000050000099", naam: "Korenaar Zeist", type: "nevenvestiging" };
  const body = { kvkNummer: "50000012", naam: "Korenaar B.V.", type: "rechtspersoon" };

  it("are one hit with the data of the main branch, in any order", () => {
    const hit = { kvkNumber: "50000012", name: "Korenaar", city: "Utrecht", isActive: true };
    const rows = [main, { ...other, adres: visit("Zeist") }, body];
    for (const order of [rows, rows.toReversed(), [body, main], [body, other, main]]) {
      expect(hitsOf(...order).hits).toEqual([hit]);
    }
  });

  it("may lack the main branch or an address, and prefer a visiting address", () => {
    expect(hitsOf(body).hits).toEqual([{ kvkNumber: "50000012", name: "Korenaar B.V.", isActive: true }]);
    expect(
      hitsOf({ ...main, adres: post("Utrecht") }, { ...other, adres: visit("Zeist") }).hits,
    ).toMatchObject([{ name: "Korenaar", city: "Zeist" }]);
    expect(hitsOf({ ...main, adres: post("Utrecht") }).hits).toMatchObject([{ city: "Utrecht" }]);
    const abroad = {
      buitenlandsAdres: { type: "bezoekadres", postcodeWoonplaats: "75008 Parijs", land: "FR" },
    };
    expect(hitsOf({ ...main, adres: abroad }).hits).toMatchObject([{ city: "75008 Parijs" }]);
  });

  it("show whether it is inactive, and the former name that matched", () => {
    expect(hitsOf({ ...main, actief: "Nee" }, { ...body, actief: "Nee" }).hits).toMatchObject([
      { isActive: false },
    ]);
    expect(hitsOf({ ...main, actief: "Ja" }, { ...other, actief: "Nee" }).hits).toMatchObject([
      { isActive: true },
    ]);
    expect(hitsOf({ ...main, vervallenNaam: "De Aar" }).hits).toMatchObject([
      { name: "Korenaar", formerName: "De Aar" },
    ]);
    expect(hitsOf({ ...main, naam: undefined, vervallenNaam: "De Aar" }).hits).toEqual([
      { kvkNumber: "50000012", name: "De Aar", city: "Utrecht", isActive: true },
    ]);
  });

  it("that are invalid are omitted and reported", () => {
    const { hits, leftOut } = hitsOf({ ...main, kvkNummer: 123 }, { ...main, naam: [] }, body);
    expect(hits).toMatchObject([{ name: "Korenaar B.V." }]);
    expect(leftOut).toContain("resultaten[].naam has an unexpected form");
    expect(leftOut).toContain("a row of a search without a KVK number or a name");
  });

  it("are kept separate from those of other companies, in their original order", () => {
    const second = { ...main, kvkNummer: "50000021", naam: "Aar" };
    expect(hitsOf(other, second, main, body).hits.map(({ kvkNumber }) => kvkNumber)).toEqual([
      "50000012",
      "50000021",
    ]);
  });
});

describe("a page of results", () => {
  it("is undefined without a list, and never throws", () => {
    for (const value of [null, [], "…", {}, { resultaten: {} }, { resultaten: null }]) {
      expect(readZoeken(value, [])).toBeUndefined();
    }
    const row = fc.record(
      {
        kvkNummer: fc.oneof(fc.constant("50000012"), fc.jsonValue()),
        naam: fc.oneof(fc.string(), fc.jsonValue()),
        type: fc.jsonValue(),
        actief: fc.jsonValue(),
        vervallenNaam: fc.jsonValue(),
        adres: fc.oneof(
          fc.record({ binnenlandsAdres: fc.jsonValue(), buitenlandsAdres: fc.jsonValue() }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    const page = fc.record({ resultaten: fc.oneof(fc.array(row), fc.jsonValue()), totaal: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(page, fc.jsonValue()), (value) => {
        const result = readZoeken(value, []);
        for (const { kvkNumber, name } of groupRows(result?.rows ?? [])) {
          expect(kvkNumber).toMatch(/^[0-9]{8}$/);
          expect(name).not.toBe("");
        }
      }),
    );
  });
});

describeWith(shared(RECORDED), "every recorded search", () => {
  const files = readdirSync(RECORDED);
  const searches = files.filter((file) => /^test_api_v2_zoeken_.*__200__|response__None__9fe0b6/.test(file));

  it.each(searches)("%s is one company", (file) => {
    const parsed: unknown = JSON.parse(readFileSync(`${RECORDED}/${file}`, "utf8"));
    const leftOut: Rejection[] = [];
    const result = readZoeken(isJsonObject(parsed) ? parsed.body : undefined, leftOut);
    expect(leftOut).toEqual([]);
    expect(result?.total).toBe(result?.rows.length);
    const hits = groupRows(result?.rows ?? []);
    expect(hits).toEqual([
      /69599084|9fe0b6/.test(file)
        ? { kvkNumber: "69599084", name: "Test EMZ Dagobert", city: "Amsterdam", isActive: true }
        : { kvkNumber: "90001354", name: "Grand Joyflex B.V.", city: "Sterksel", isActive: true },
    ]);
  });

  it("include at least six searches", () => {
    expect(searches.length).toBeGreaterThanOrEqual(6);
  });
});
