/** For tests: facts of one fictional company, as monitors compare them. */
import { expect } from "vitest";
import type { CompanyFacts, FactsAddress } from "../../src/company/facts.ts";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import { compareCompany, type SeenFacts } from "../../src/monitors/compare.ts";
import type { Baseline, Observation, ObservedChange } from "../../src/monitors/types.ts";
import { FIELDS_FORMAT, watchedFields } from "../../src/monitors/watchedFields.ts";

export const KVK = parseKvkNumber("51234567") ?? expect.fail("no KVK number");
export const ADDRESS: FactsAddress = {
  kind: "visiting",
  street: "Korenmolenlaan",
  houseNumber: "17M",
  postalCode: "1012 AB",
  city: "Amsterdam",
  country: "NL",
};
export const MOVED: FactsAddress = {
  ...ADDRESS,
  street: "Deegplein",
  houseNumber: "2",
  postalCode: "1506 AB",
};
export const SHIELDED: FactsAddress = {
  kind: "visiting",
  city: "Amsterdam",
  country: "NL",
  isShielded: true,
};

const FACTS: CompanyFacts = { kvkNumber: KVK, name: "Bakkerij Jansen B.V.", isActive: true };
const ORIGIN = "import:crm";

export const branch = (nth: number, facts: object = {}) => ({
  branchNumber: String(100_000_000_000 + nth),
  isMain: false,
  isActive: true,
  ...facts,
});

/** The baseline of an import, of date and serial 10. */
export function baseline(facts: Partial<CompanyFacts>, more: Partial<Baseline> = {}): Baseline {
  const fields = watchedFields({ ...FACTS, ...facts });
  return { kvkNumber: KVK, origin: ORIGIN, asOfMs: 10, serialMs: 10, format: FIELDS_FORMAT, fields, ...more };
}

/** Later facts of the same import, of date and serial 20. */
export function seen(facts: Partial<CompanyFacts>, more: Partial<SeenFacts> = {}): SeenFacts {
  const fields = watchedFields({ ...FACTS, ...facts });
  return { origin: ORIGIN, asOfMs: 20, serialMs: 20, fields, ...more };
}

export const changesIn = (observations: readonly Observation[]): ObservedChange[] =>
  observations.flatMap(({ changes }) => [...changes]);

export const compared = (before: Partial<CompanyFacts>, now: Partial<CompanyFacts>): ObservedChange[] =>
  changesIn(compareCompany(KVK, [baseline(before)], [seen(now)]));
