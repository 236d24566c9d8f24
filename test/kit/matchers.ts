/** Matchers of fictional companies among generated ones, because rarity of words needs other companies around. */
import type { CompanyFacts } from "../../src/company/facts.ts";
import { type KvkNumber, parseKvkNumber } from "../../src/contract/numbers.ts";
import { DEMO_SEED, generateCompanies } from "../../src/demo/registry/generateCompanies.ts";
import { Matcher } from "../../src/match/matcher.ts";
import { IndexBuilder } from "../../src/search/index/builder.ts";
import { NameIndex } from "../../src/search/index/nameIndex.ts";
import { indexInMemory } from "../../src/search/index/sections.ts";

const GENERATED = 3_000;

export function kvk(number: string): KvkNumber {
  const kvkNumber = parseKvkNumber(number);
  if (kvkNumber === undefined) throw new Error(`${number} is not a KVK number`);
  return kvkNumber;
}

export function company(
  number: string,
  name: string,
  more: Partial<CompanyFacts> & { city?: string } = {},
): CompanyFacts {
  const { city, ...facts } = more;
  const address = { kind: "visiting", ...(city && { city }) } as const;
  return { kvkNumber: kvk(number), name, isActive: true, address, ...facts };
}

export function matcherOf(companies: readonly CompanyFacts[]): Matcher {
  const builder = new IndexBuilder();
  const facts = new Map<KvkNumber, CompanyFacts>();
  const generated = [...generateCompanies({ companies: GENERATED, seed: DEMO_SEED })].map((one) => one.facts);
  for (const one of [...generated, ...companies]) {
    facts.set(one.kvkNumber, one);
    builder.add({ ...one, ...one.address });
  }
  const index = new NameIndex(indexInMemory(builder.sections()));
  return new Matcher([index], (kvkNumber) => facts.get(kvkNumber));
}
