import type { SourcedFacts } from "../../company/facts.ts";
import { makeCompany } from "./company.ts";
import { EXAMPLE_COMPANIES } from "./examples.ts";
import { BranchNumbers, DEMO_AS_OF, kvkNumberAt, MAX_COMPANIES, rsinAt } from "./numbers.ts";
import { Random } from "./random.ts";

/** The default size and seed of the demo. */
export const DEMO_COMPANIES = 25_000;
export const DEMO_SEED = 2026;

export interface DemoSize {
  /** 1 to {@link MAX_COMPANIES} */
  readonly companies: number;
  /** A whole number from 0 to 2^53 - 1. */
  readonly seed: number;
}

/**
 * A fictional registry, one company at a time in the order of their KVK numbers. The same size and seed always give the
 * same companies, and memory does not grow with their number. No real company has these KVK numbers, RSINs, branch
 * numbers and websites; names are random combinations.
 * @throws {RangeError} when a number is out of its range
 */
export function* generateCompanies({ companies, seed }: DemoSize): Generator<SourcedFacts> {
  if (!Number.isInteger(companies) || companies < 1 || companies > MAX_COMPANIES) {
    throw new RangeError(`The number of companies must be a whole number from 1 to ${MAX_COMPANIES}.`);
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new RangeError(`The seed must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
  }
  const random = new Random(seed);
  const branchNumbers = new BranchNumbers();
  for (let index = 0; index < companies; index++) {
    const identity = {
      kvkNumber: kvkNumberAt(index, companies, random),
      rsin: rsinAt(index, companies, random),
    };
    yield { origin: "demo", asOf: DEMO_AS_OF, facts: makeCompany(identity, branchNumbers, random) };
  }
}

/** The companies of the demo: the examples, then generated ones, {@link DEMO_COMPANIES} in total. */
export function* demoCompanies(): Generator<SourcedFacts> {
  for (const facts of EXAMPLE_COMPANIES) yield { origin: "demo", asOf: DEMO_AS_OF, facts };
  yield* generateCompanies({ companies: DEMO_COMPANIES - EXAMPLE_COMPANIES.length, seed: DEMO_SEED });
}
