import type { CompanyFacts } from "../../src/company/facts.ts";
import { type BenchCase, type CaseCall, DIFFERENT_CALLS } from "./case.ts";

/** The numbers of legal persons, as an enriched lookup derives them. */
function callsWith(query: string): (companies: readonly CompanyFacts[]) => readonly CaseCall[] {
  return (companies) =>
    companies
      .flatMap(({ rsin }) => (rsin === undefined ? [] : [`NL${rsin}B01`]))
      .slice(0, DIFFERENT_CALLS)
      .map((vatNumber) => ({ method: "GET", path: `/v1/validate/vat/${vatNumber}${query}` }));
}

const common = {
  operation: "validate",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
} as const;

export const validate: BenchCase = {
  ...common,
  name: "validate",
  title: "VAT number with a fresh verdict held, charged",
  leastRatio: { sqlite: 0.45 },
  calls: callsWith(""),
};

/** Every call asks VIES now, which hangs: once the breaker is open an earlier answer stands in at once. */
export const outage: BenchCase = {
  ...common,
  name: "outage",
  title: "VAT number asked anew while VIES hangs: stale",
  calls: callsWith("?maxAge=0"),
  viesHangs: true,
};
