/** A search by address or RSIN finds a company by its current facts only. */
import { describe, expect, it } from "vitest";
import { companyFacts, current, sourcedFacts, temporaryFolder } from "../../../test/kit/registry.ts";
import type { CompanyFacts, FactsAddress, SourcedFacts } from "../../company/facts.ts";
import { generateCompanies } from "../../demo/registry/generateCompanies.ts";
import { NameIndex } from "../../search/index/nameIndex.ts";
import { importFacts } from "../importFacts.ts";
import { hiddenNames } from "./hiddenNames.ts";

const LATER = "2026-06-01T00:00:00.000Z";
const KADE: FactsAddress = {
  kind: "visiting",
  street: "Kade",
  houseNumber: "12-A",
  postalCode: "1234 AB",
  city: "Verzinstad",
};
const RSIN = "123456782";
const facts: Partial<CompanyFacts> = { address: KADE, rsin: RSIN, tradingNames: ["Handelsnaam"] };

/** Adds facts as a delta. */
const change = (directory: string, ...changed: SourcedFacts[]) =>
  importFacts(directory, changed, { replace: false, maxDeltaShare: 0.9 });

/** A base with company 1 and a neighbour, company 2. */
async function base(): Promise<string> {
  const directory = temporaryFolder();
  const others = generateCompanies({ companies: 30, seed: 3 });
  await change(directory, sourcedFacts(1, facts), sourcedFacts(2, { address: KADE }), ...others);
  return directory;
}

/** The numbers of the companies at an address and with the RSIN, in the current snapshot. */
function found(directory: string, postalCode = "1234AB", houseNumber = "12") {
  const snapshot = current(directory);
  snapshot.autocomplete("voorbeeld", 1);
  const buffers = [...snapshot.loadedIndexes.values()];
  const hidden = hiddenNames(buffers);
  const indexes = buffers.map((buffer, place) => new NameIndex(buffer, place === 0 ? hidden : undefined));
  const numbers = (ranksIn: (index: NameIndex) => Iterable<number>) =>
    indexes
      .flatMap((index) => Array.from(ranksIn(index), (rank) => index.records.kvk(rank) - 50_000_000))
      .sort();
  return {
    layers: indexes.length,
    there: numbers((index) => index.atAddress(postalCode, houseNumber)),
    withRsin: numbers((index) => index.withNumber(RSIN)),
  };
}

describe("after a delta", () => {
  it("a company is not found at an address that is now shielded, even if the shielded facts still have it", async () => {
    const directory = await base();
    expect(found(directory)).toEqual({ layers: 1, there: [1, 2], withRsin: [1] });
    const address = { ...KADE, isShielded: true } as const;
    await change(directory, sourcedFacts(1, { ...facts, address }, { asOf: LATER }));
    expect(found(directory)).toEqual({ layers: 2, there: [2], withRsin: [1] });
  });

  it("a company is not found at an address that another origin shields", async () => {
    const directory = await base();
    const address = { kind: "visiting", city: "Verzinstad", isShielded: true } as const;
    await change(directory, sourcedFacts(1, { address }, { origin: "kvk-api" }));
    expect(current(directory).basic(companyFacts(1).kvkNumber)?.address).toMatchObject({ isShielded: true });
    expect(found(directory)).toEqual({ layers: 2, there: [2], withRsin: [1] });
  });

  it("a company that moved is found at its new address only, and without its RSIN no longer by it", async () => {
    const directory = await base();
    const address = { ...KADE, postalCode: "4321 ZY", houseNumber: "267" };
    await change(directory, sourcedFacts(1, { address }, { asOf: LATER }));
    expect(found(directory)).toEqual({ layers: 2, there: [2], withRsin: [] });
    expect(found(directory, "4321 ZY", "267").there).toEqual([1]);
  });
});
