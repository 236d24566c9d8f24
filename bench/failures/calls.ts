/** What callers ask, and what must be true of the answer. */
import type { CompanyFacts } from "../../src/company/facts.ts";
import type { Random } from "../../src/demo/random.ts";
import { type Asked, BATCH_SIZE, MOST } from "./load.ts";

/** Numbers that the simulated VIES knows as valid, whatever state they are of. */
const VALID_VAT_NUMBERS = ["NL000099998B57", "PL8567346215", "DE136695976", "IT00743110157", "ATU13585627"];

interface Kind {
  readonly share: number;
  make(random: Random, company: CompanyFacts): Asked;
}

/** Every kind of call, by how often. `unknown` are numbers that only KVK knows. */
export function callMix(
  companies: readonly CompanyFacts[],
  unknown: readonly string[],
): (random: Random) => Asked {
  const kinds: readonly Kind[] = [
    { share: 35, make: (_, { kvkNumber }) => lookup(kvkNumber, "", MOST.lookup) },
    { share: 5, make: (_, { kvkNumber }) => lookup(kvkNumber, "?enrich=true", MOST.enriched) },
    { share: 3, make: (random) => lookup(random.pick(unknown), "", MOST.lookup) },
    { share: 5, make: (_, { kvkNumber }) => get(`/v1/lookup/${kvkNumber}/branches`, MOST.branches) },
    {
      share: 25,
      make: (random, { name }) =>
        get(
          `/v1/autocomplete?q=${encodeURIComponent(name.slice(0, random.between(2, 12)))}`,
          MOST.autocomplete,
        ),
    },
    {
      share: 10,
      make: (_, { name }) => get(`/v1/search?q=${encodeURIComponent(name)}`, MOST.search),
    },
    { share: 10, make: (random) => validation(random.pick(VALID_VAT_NUMBERS)) },
    { share: 4, make: (random) => batch(random, companies) },
    { share: 3, make: () => get("/v1/usage", MOST.usage) },
  ];
  const all = kinds.reduce((sum, { share }) => sum + share, 0);
  return (random) => {
    const company = random.pick(companies);
    let left = random.between(1, all);
    for (const { share, make } of kinds) {
      left -= share;
      if (left <= 0) return make(random, company);
    }
    return get("/v1/usage", MOST.usage);
  };
}

function get(path: string, price: number): Asked {
  return { method: "GET", path, price };
}

function lookup(kvkNumber: string, query: string, price: number): Asked {
  return {
    ...get(`/v1/lookup/${kvkNumber}${query}`, price),
    check: (body) =>
      body["kvkNumber"] === kvkNumber ? undefined : `another company: ${String(body["kvkNumber"])}`,
  };
}

/** Of a number that is valid an outage must never be told as a no. */
function validation(vatNumber: string): Asked {
  return {
    ...get(`/v1/validate/vat/${vatNumber}`, MOST.validate),
    check: (body) =>
      body["valid"] === false
        ? `a valid number was told to be invalid (${String(body["status"])})`
        : undefined,
  };
}

function batch(random: Random, companies: readonly CompanyFacts[]): Asked {
  const kvkNumbers = Array.from({ length: BATCH_SIZE }, () => random.pick(companies).kvkNumber);
  return {
    method: "POST",
    path: "/v1/lookup/batch",
    body: JSON.stringify({ kvkNumbers }),
    price: MOST.batch,
  };
}
