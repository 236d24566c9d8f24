import type { CompanyFacts } from "../../src/company/facts.ts";
import { type BenchCase, type CaseCall, callsFrom } from "./case.ts";

const ACCOUNTS = 10_000;

const common = {
  operation: "lookup",
  expected: 200,
  tier: "unlimited",
  itemsPerAnswer: 1,
} as const;

const callOf = ({ kvkNumber }: CompanyFacts): CaseCall => ({
  method: "GET",
  path: `/v1/lookup/${kvkNumber}`,
});

export const lookup: BenchCase = {
  ...common,
  name: "lookup",
  title: "basic lookup, charged",
  setups: ["sqlite", "postgres", "two-nodes"],
  leastRatio: { sqlite: 0.45, postgres: 0.2 },
  calls: (companies, random) => callsFrom(companies, random, callOf),
};

/** The store's rows are others with each call: what is locked, read and written for one is of no use to the next. */
export const lookupOfMany: BenchCase = {
  ...common,
  name: "lookup-accounts",
  title: `basic lookup, charged to one of ${ACCOUNTS.toLocaleString("en")} accounts`,
  setups: ["sqlite", "postgres", "two-nodes"],
  accounts: ACCOUNTS,
  leastRatio: { postgres: 0.1 },
  calls: (companies, random) => callsFrom(companies, random, callOf, ACCOUNTS),
};

/** What a charge adds to an answer when nobody else is there. */
export const lookupAlone: BenchCase = {
  ...common,
  name: "lookup-alone",
  title: "basic lookup, charged, one caller",
  setups: ["sqlite", "postgres"],
  connections: 1,
  mostAddedUs: 1_000,
  calls: (companies, random) => callsFrom(companies, random, callOf),
};
