import type { CompanyFacts } from "../src/company/facts.ts";
import { at, type Random } from "../src/demo/random.ts";
import type { Store } from "./options.ts";

/** A call without its key. */
export interface CaseCall {
  readonly path: string;
  /** Sent by POST. */
  readonly body?: unknown;
}

/** One kind of call that is measured, with accounts of its own, so that the ledger can be checked case by case. */
export interface BenchCase {
  readonly name: string;
  /** For the report. */
  readonly title: string;
  /** Accounts, each with a key, that make the calls in turn; 1 by default. */
  readonly accounts?: number;
  /** The least share of the bare server's calls per second that the project promises. */
  readonly minRatio?: Partial<Readonly<Record<Store, number>>>;
  /** Calls to make in turn, out of companies that the registry holds. */
  readonly calls: (companies: readonly CompanyFacts[], random: Random) => readonly CaseCall[];
}

const DIFFERENT_CALLS = 2_000;
const MANY_ACCOUNTS = 10_000;
const BATCH_SIZE = 100;

/** Calls made from companies picked at random. */
function each(
  make: (company: CompanyFacts, random: Random) => CaseCall,
  count = DIFFERENT_CALLS,
): BenchCase["calls"] {
  return (companies, random) => Array.from({ length: count }, () => make(random.pick(companies), random));
}

const lookupOf = ({ kvkNumber }: CompanyFacts): CaseCall => ({ path: `/v1/lookup/${kvkNumber}` });

/** The first 2 to 14 characters of a name, as the dropdown asks for them. */
function beginningOf({ name }: CompanyFacts, random: Random): CaseCall {
  const typed = name.slice(0, random.between(2, 14)).toLowerCase().trim().padEnd(2, "a");
  return { path: `/v1/autocomplete?${new URLSearchParams({ q: typed })}` };
}

/** A word of a name, half the time with its city. */
function searchOf({ name, address }: CompanyFacts, random: Random): CaseCall {
  const words = name.split(" ").filter((word) => /^[A-Za-z]{3,}$/.test(word));
  const query = new URLSearchParams({ q: words.length > 0 ? at(words, random.below(words.length)) : name });
  if (address?.city !== undefined && random.chance(0.5)) query.set("city", address.city);
  return { path: `/v1/search?${query}` };
}

/** Numbers in a row, as a number that is sent twice is answered once. */
function batches(companies: readonly CompanyFacts[], random: Random): readonly CaseCall[] {
  return Array.from({ length: DIFFERENT_CALLS / 4 }, () => {
    const start = random.below(companies.length);
    const kvkNumbers = Array.from(
      { length: BATCH_SIZE },
      (_, offset) => companies[(start + offset) % companies.length]?.kvkNumber,
    );
    return { path: "/v1/lookup/batch", body: { kvkNumbers } };
  });
}

/** The numbers of legal persons, as an enriched lookup derives them. */
function vatNumbers(companies: readonly CompanyFacts[]): readonly CaseCall[] {
  return companies
    .flatMap(({ rsin }) => (rsin === undefined ? [] : [{ path: `/v1/validate/vat/NL${rsin}B01` }]))
    .slice(0, DIFFERENT_CALLS);
}

/** Every case, in the order of the report. */
export const CASES: readonly BenchCase[] = [
  {
    name: "lookup",
    title: "lookup",
    minRatio: { sqlite: 0.45, postgres: 0.2 },
    calls: each(lookupOf),
  },
  {
    name: "lookup-accounts",
    title: `lookup, ${MANY_ACCOUNTS.toLocaleString("en")} accounts`,
    accounts: MANY_ACCOUNTS,
    minRatio: { postgres: 0.1 },
    calls: each(lookupOf, MANY_ACCOUNTS),
  },
  {
    name: "enriched",
    title: "enriched lookup, VAT verdict stored",
    calls: each(({ kvkNumber }) => ({ path: `/v1/lookup/${kvkNumber}?enrich=true` })),
  },
  { name: "batch", title: `batch of ${BATCH_SIZE}`, calls: batches },
  {
    name: "autocomplete",
    title: "suggestions for 2 to 14 characters",
    minRatio: { sqlite: 0.4 },
    calls: each(beginningOf),
  },
  { name: "search", title: "search for a word, half with a city", calls: each(searchOf) },
  { name: "vat", title: "VAT number, verdict stored", minRatio: { sqlite: 0.45 }, calls: vatNumbers },
];
