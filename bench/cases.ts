import type { CompanyFacts } from "../src/company/facts.ts";
import type { Random } from "../src/demo/registry/random.ts";

export const STORES = ["sqlite", "postgres"] as const;
export type Store = (typeof STORES)[number];

/** One kind of call. Each has its own accounts, so that the ledger can be checked case by case. */
export interface BenchCase {
  readonly name: string;
  /** For the report. */
  readonly title: string;
  /** The number of accounts, each with a key, that make the calls in turn. */
  readonly accounts: number;
  /** The processes of our server and of the plain design; more than one only on PostgreSQL. */
  readonly processes: number;
  /** Compared with the plain design, and the promised minimum ratio of our calls per second to its. */
  readonly minPlainRatio?: Partial<Readonly<Record<Store, number>>>;
  /** The promised minimum ratio of our calls per second to those of the bare server. */
  readonly minBareRatio: Partial<Readonly<Record<Store, number>>>;
  readonly maxP99Ms: Partial<Readonly<Record<Store, number>>>;
  /** Returns the path of a call about a company; undefined if there is none. */
  readonly pathOf: (company: CompanyFacts, random: Random) => string | undefined;
}

/** Calls that are made in turn; at least one for each account. */
export const MIN_CALLS = 2_000;
const MANY_ACCOUNTS = 10_000;

const lookupOf: BenchCase["pathOf"] = ({ kvkNumber }) => `/v1/lookup/${kvkNumber}`;

/** Every case, in the order of the report. */
export const CASES: readonly BenchCase[] = [
  {
    name: "lookup",
    title: "lookup",
    accounts: 1,
    processes: 1,
    minPlainRatio: { sqlite: 4, postgres: 4 },
    minBareRatio: {},
    maxP99Ms: { sqlite: 5 },
    pathOf: lookupOf,
  },
  {
    name: "lookup-accounts",
    title: `lookup, ${MANY_ACCOUNTS.toLocaleString("en")} accounts`,
    accounts: MANY_ACCOUNTS,
    processes: 1,
    minPlainRatio: { sqlite: 3, postgres: 1.5 },
    minBareRatio: {},
    maxP99Ms: { sqlite: 5 },
    pathOf: lookupOf,
  },
  {
    name: "lookup-processes",
    title: `lookup, ${MANY_ACCOUNTS.toLocaleString("en")} accounts, 2 processes`,
    accounts: MANY_ACCOUNTS,
    processes: 2,
    minPlainRatio: { postgres: 1.5 },
    minBareRatio: {},
    maxP99Ms: {},
    pathOf: lookupOf,
  },
  {
    name: "autocomplete",
    title: "suggestions for 2 to 14 characters",
    accounts: 1,
    processes: 1,
    minBareRatio: { sqlite: 0.4 },
    maxP99Ms: {},
    pathOf: ({ name }, random) => {
      const typed = name.slice(0, random.between(2, 14)).toLowerCase().trim().padEnd(2, "a");
      return `/v1/autocomplete?${new URLSearchParams({ q: typed })}`;
    },
  },
  {
    name: "vat",
    title: "VAT number, verdict stored",
    accounts: 1,
    processes: 1,
    minBareRatio: { sqlite: 0.45 },
    maxP99Ms: {},
    // Legal persons have the number that an enriched lookup derives.
    pathOf: ({ rsin }) => (rsin === undefined ? undefined : `/v1/validate/vat/NL${rsin}B01`),
  },
];
