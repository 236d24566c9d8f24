import { describe, expect, it } from "vitest";
import { generateCompanies } from "../../demo/registry/generateCompanies.ts";
import { IndexBuilder, type IndexedCompany } from "./builder.ts";
import { NameIndex } from "./nameIndex.ts";
import { indexInMemory } from "./sections.ts";

function indexOf(indexed: readonly IndexedCompany[]): NameIndex {
  const builder = new IndexBuilder();
  for (const company of indexed) builder.add(company);
  return new NameIndex(indexInMemory(builder.sections()));
}

const companies: IndexedCompany[] = [...generateCompanies({ companies: 2_000, seed: 11 })].map(
  ({ facts: { address, ...others } }) => ({ ...others, ...address }),
);
const byNumber = new Map(companies.map((company) => [Number(company.kvkNumber), company]));
const index = indexOf(companies);
const mainNames = Array.from({ length: index.names }, (_, rank) => rank).filter(
  (rank) => index.mainRank(rank) === rank,
);

describe("a name index", () => {
  it("finds companies by postal code and house number, without its letters, in any form of the code", () => {
    const addressOf = ({ postalCode, houseNumber, street }: Partial<IndexedCompany> = {}) =>
      street === "Postbus" || postalCode === undefined || houseNumber === undefined
        ? undefined
        : `${postalCode} ${Number.parseInt(houseNumber, 10)}`;
    const byAddress = Map.groupBy(mainNames, (rank) => addressOf(byNumber.get(index.records.kvk(rank))));
    byAddress.delete(undefined);
    expect(byAddress.size).toBeGreaterThan(1_000);
    let total = 0;
    for (const [address = "", expected] of byAddress) {
      const [digits = "", letters = "", house = ""] = address.split(" ");
      const found = [...index.atAddress(`${digits} ${letters}`, `${house}-B`)];
      expect(found.filter((rank) => addressOf(byNumber.get(index.records.kvk(rank))) === address)).toEqual(
        expected,
      );
      expect([...index.atAddress(`${digits}${letters.toLowerCase()}`, house)]).toEqual(found);
      total += found.length - expected.length;
    }
    expect(total).toBeLessThan(companies.length / 100);
  });

  it("does not find a shielded address, a PO box, or part of a postal code", () => {
    const address = { street: "Kade", houseNumber: "12", postalCode: "1234 AB" };
    const kinds = [{}, { isShielded: true as const }, { street: "Postbus" }];
    const one = indexOf(
      companies.slice(0, 3).map(({ kvkNumber }, at) => ({
        kvkNumber,
        name: "Kade",
        isActive: true,
        ...address,
        ...kinds[at],
      })),
    );
    const numbers = (postalCode: string, houseNumber: string) =>
      Array.from(one.atAddress(postalCode, houseNumber), (rank) => one.records.kvk(rank));
    expect(numbers("1234 AB", "12")).toEqual([Number(companies[0]?.kvkNumber)]);
    for (const [postalCode, houseNumber] of [
      ["1234", "12"],
      ["1234 AB", "13"],
      ["1234 AB", "A"],
      ["1234 AB", ""],
      ["", "12"],
    ] as const)
      expect(numbers(postalCode, houseNumber)).toEqual([]);
  });

  it("finds the main name of the company with an RSIN, and few others", () => {
    const legal = companies.filter(({ rsin }) => rsin !== undefined);
    let found = 0;
    for (const { kvkNumber, rsin = "" } of legal) {
      const ranks = [...index.withNumber(rsin)];
      expect(ranks).toContain(index.numbers.rankOf(Number(kvkNumber)));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      found += ranks.length;
    }
    expect(found).toBeLessThan(legal.length * 1.1);
  });
});
