import type { CompanyFacts } from "../../src/company/facts.ts";
import { type KvkNumber, parseKvkNumber } from "../../src/contract/numbers.ts";
import { generateCompanies } from "../../src/demo/generateCompanies.ts";

/** At KVK's rate all of them are asked for in five seconds. */
const COMPANIES = 500;
const SEED = 6;
/** No number of the snapshot is so low. */
const FIRST_NUMBER = 10_000_000;

function numberOf(index: number): KvkNumber {
  const parsed = parseKvkNumber(String(FIRST_NUMBER + index));
  if (parsed === undefined) throw new RangeError(`company ${index} has no number of eight digits`);
  return parsed;
}

export function kvkCompanies(): readonly CompanyFacts[] {
  return Array.from(generateCompanies({ companies: COMPANIES, seed: SEED }), ({ facts }, index) => ({
    ...facts,
    kvkNumber: numberOf(index),
  }));
}
