import { describe, expect, it } from "vitest";
import { kvkNumber } from "../../test/kit/companies.ts";
import { type OpenSnapshot, snapshotForAll, sourcedFacts } from "../../test/kit/registry.ts";
import type { HintCode } from "../contract/hints.ts";
import { inOneGo } from "../lib/steps.ts";
import { CompanyFinder } from "./finding.ts";
import { hintFor } from "./pasted.ts";

const RSIN = "806431709";
const OWN_ZERO = "07654321";

let snapshot: OpenSnapshot;
snapshotForAll(
  () => [
    sourcedFacts(1, { name: "Zwaluwtij B.V.", rsin: RSIN, legalForm: "BV" }),
    sourcedFacts(2, { name: "Zwaluwtij Schilder", legalForm: "EMZ", vatNumber: "NL123456782B03" }),
    sourcedFacts(3, { name: "Zwermkroon", kvkNumber: kvkNumber(OWN_ZERO) }),
    sourcedFacts(4, { name: "Zwaluwtij Oud B.V.", isActive: false }),
    sourcedFacts(5, { name: "Zwenkbaar 020-7654" }),
  ],
  (opened) => {
    snapshot = opened;
  },
);

/** The companies and the hint that autocomplete and search return. */
function answers(q: string, suppressed: readonly string[] = []) {
  const finder = new CompanyFinder({
    registry: { current: snapshot },
    suppressed: { size: suppressed.length, has: (number) => suppressed.includes(number) },
  });
  const items = inOneGo(finder.completeHere(snapshot, q, 8));
  const { results, total } = inOneGo(finder.searchHere(snapshot, { q, page: 1, pageSize: 10 }));
  expect([q, results.map((row) => row.kvkNumber), total]).toEqual([
    q,
    items.map((item) => item.kvkNumber),
    items.length,
  ]);
  return { numbers: items.map((item) => item.kvkNumber), hint: hintFor(q, items).hint };
}

describe("an RSIN or a VAT number with it", () => {
  it.each([
    RSIN,
    "8064.31.709",
    "806 431 709",
    "RSIN 806431709",
    "rsin: 8064.31.709",
    "fiscaal nummer 806431709",
    "Zwaluwtij B.V. (RSIN 806431709)",
    "NL806431709B01",
    "nl806431709b01",
    "NL 8064.31.709.B.01",
    "806431709B01",
    "btw: NL806431709B01",
    "Btw-nummer NL 806 431 709 B02",
    "VAT ID: NL806431709B01",
    "omzetbelastingnummer 806431709B01",
    "NL8064\u200b31709B01",
  ])("finds its company: %s", (q) => {
    expect(answers(q)).toEqual({ numbers: ["50000001"], hint: undefined });
  });

  it.each(["NL123456782B03", "123456782B03", "123456782", "btw NL123456782B03"])(
    "does not reveal a sole trader: %s",
    (q) => {
      const { numbers, hint } = answers(q);
      expect(numbers).toEqual([]);
      expect(JSON.stringify(hint)).not.toMatch(/[0-9]{3}/);
    },
  );

  it("does not find a suppressed company", () => {
    expect(answers(RSIN, ["50000001"]).numbers).toEqual([]);
  });
});

describe("a KVK number that lost its zero", () => {
  it.each(["7654321", "KVK 7654321", "kvk-nummer: 7654321", "7.654.321", "7654321.0"])(
    "finds its company, with a hint: %s",
    (q) => {
      expect(answers(q)).toMatchObject({ numbers: [OWN_ZERO], hint: { code: "lost_zero" } });
    },
  );

  it("is first the beginning of another number", () => {
    expect(answers("5000000").hint).toBeUndefined();
    expect(answers("5000000").numbers).toContain("50000001");
  });

  it("returns a hint if no company has the number", () => {
    expect(answers("1112223")).toMatchObject({ numbers: [], hint: { code: "lost_zero" } });
  });
});

it.each<[HintCode, ...string[]]>([
  ["rsin_unknown", "987654321", "rsin 9876.54.321"],
  ["vat_number_unknown", "NL987654321B01", "btw nr. 987654321B01"],
  [
    "foreign_vat_number",
    "BE 0403.019.261",
    "DE136695976",
    "VAT: DE 136 695 976",
    "FR40303265045",
    "btw: BE0403019261",
  ],
  [
    "branch_number",
    "000012345678",
    "0000 1234 5678",
    "vestigingsnummer 000012345678",
    "Vest.nr: 000012345678",
  ],
  ["lei", "529900T8BM49AURSDO55", "LEI: 5299 00T8 BM49 AURS DO55"],
  [
    "iban",
    "NL91ABNA0417164300",
    "NL91 ABNA 0417 1643 00",
    "IBAN: NL91 ABNA 0417 1643 00",
    "BE68 5390 0754 7034",
  ],
  [
    "phone_number",
    "020-1234567",
    "+31 20 123 45 67",
    "tel: 06 12345678",
    "0612345678",
    "06-12345678",
    "Tel. (020) 123 45 67",
  ],
  ["email_address", "info@zwets.example", "Mail: j.zwets@kwak.example"],
  ["website", "www.zwets.example", "https://zwets.example/contact", "zwets-kwak.nl"],
])("an unknown number or address returns the hint %s", (code, ...typed) => {
  for (const q of typed) expect([q, answers(q)]).toMatchObject([q, { numbers: [], hint: { code } }]);
});

it.each(["niemand heet zo", "kwak 12", "4321 ZX 1", "50 plus", "NL", "1000", "no.1", "zwets.kwak"])(
  "a name returns no hint: %s",
  (q) => {
    expect(answers(q).hint).toBeUndefined();
  },
);

it("finds a name with digits although they look like a number", () => {
  expect(answers("zwenkbaar 020-7654")).toEqual({ numbers: ["50000005"], hint: undefined });
});

describe("a suggestion", () => {
  const item = (hasEnded: (number: string) => boolean) => {
    const suppressed = { size: 0, has: () => false, hasEnded };
    const finder = new CompanyFinder({ registry: { current: snapshot }, suppressed });
    return inOneGo(finder.completeHere(snapshot, "zwaluwtij", 8)).map(({ kvkNumber: number, isActive }) => [
      number,
      isActive,
    ]);
  };

  it("says that its company has ended, by the registry or by KVK's open data, and only then", () => {
    expect(item(() => false)).toEqual([
      ["50000001", undefined],
      ["50000002", undefined],
      ["50000004", false],
    ]);
    expect(item((number) => number === "50000002")).toContainEqual(["50000002", false]);
  });
});
