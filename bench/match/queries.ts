/** The queries of a half: every company written in every way. */
import { crc32 } from "node:zlib";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import type { Address } from "../../src/contract/resources.ts";
import { visitingAddress } from "../../src/demo/registry/addresses.ts";
import { Random } from "../../src/demo/registry/random.ts";
import { known } from "../../src/lib/values.ts";
import type { MatchQuery } from "../../src/match/types.ts";
import type { NameSet } from "../relevance/nameSet.ts";
import { typedName } from "../relevance/typedName.ts";
import { DAMAGE_CLASSES, type DamageClass, type Variant } from "./damage.ts";
import { type RealCompany, readRealCompanies, surveyCompanies } from "./data.ts";
import { NOISE_CLASSES } from "./noise.ts";

/** Attempts to damage a name so that it does not become the name of another company. */
const MAX_TRIES = 20;

export interface TestQuery {
  readonly query: MatchQuery;
  /** Undefined if the company is withheld from the registry. */
  readonly truth: KvkNumber | undefined;
}

/** The queries of one class and variant. */
export interface QuerySet {
  readonly damage: DamageClass;
  readonly variant: Variant;
  readonly queries: readonly TestQuery[];
}

/** Makes the queries about companies. Those of a company depend on its number and on the names in the registry only. */
export function querySets(companies: readonly RealCompany[], names: NameSet): QuerySet[] {
  return setsOf(DAMAGE_CLASSES, companies, names);
}

/** Companies of each kind of noise. */
const WITH_NOISE = 500;

/** Makes the queries with what lists write around names. */
export function noiseSets(companies: readonly RealCompany[], names: NameSet): QuerySet[] {
  return setsOf(NOISE_CLASSES, companies.slice(0, WITH_NOISE), names);
}

function setsOf(
  classes: readonly DamageClass[],
  companies: readonly RealCompany[],
  names: NameSet,
): QuerySet[] {
  return classes.flatMap((damage) =>
    damage.variants.map((variant) => ({
      damage,
      variant,
      queries: companies.flatMap((company) => queryFor(company, damage, variant, names) ?? []),
    })),
  );
}

/**
 * Both variants of a class damage a name in the same way.
 * @returns undefined if the damage changes nothing, or always makes the name of another company
 */
function queryFor(
  company: RealCompany,
  damage: DamageClass,
  variant: Variant,
  names: NameSet,
): TestQuery | undefined {
  const random = new Random(crc32(`${damage.id} ${company.kvkNumber}`));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const query = damage.query(company, random, variant);
    if (query === undefined) return undefined;
    if (query.name !== undefined && names.isAnother(query.name, company.name)) continue;
    return { query, truth: company.isWithheld ? undefined : company.kvkNumber };
  }
  return undefined;
}

/** Returns the queries that weights are fitted on. @throws {Error} if the file of real names is absent */
export function trainingQueries(companies: number): TestQuery[] {
  const { halves, names } = surveyCompanies(readRealCompanies(), companies);
  const ofClasses = querySets(halves.tune, names).flatMap(({ queries }) => queries);
  return [...ofClasses, ...furtherQueries(halves.tune, names)];
}

/**
 * Yields queries for fitting that the classes of the report do not cover: parts of the address, some of them outdated;
 * a wrong legal form; and companies related to one in the registry, which are not in it themselves.
 */
function* furtherQueries(companies: readonly RealCompany[], names: NameSet): Generator<TestQuery> {
  for (const company of companies) {
    const random = new Random(crc32(`further ${company.kvkNumber}`));
    const truth = company.isWithheld ? undefined : company.kvkNumber;
    const damaged = queryFor(company, random.pick(DAMAGE_CLASSES.slice(0, 8)), "name", names);
    const name = damaged?.query.name ?? company.name;
    yield { query: { name, ...partsOf(company.address, random) }, truth };
    if (random.chance(0.4))
      yield { query: { name, ...partsOf(visitingAddress(random).address, random) }, truth };
    const otherForm = withOtherForm(company.name, random);
    if (otherForm !== company.name && random.chance(0.4)) {
      yield {
        query: { name: otherForm, ...(random.chance(0.5) && partsOf(company.address, random)) },
        truth,
      };
    }
    const relative = relativeOf(company.name, random);
    if (!names.isAnother(relative, company.name) && random.chance(0.4)) {
      const { city } = company.address;
      yield { query: { name: relative, ...(random.chance(0.5) && known("city", city)) }, truth: undefined };
    }
  }
}

function partsOf(address: Address, random: Random): MatchQuery {
  const share = random.pick([0.4, 0.7, 1]);
  const parts = (["city", "postalCode", "houseNumber", "street"] as const).filter(() => random.chance(share));
  return Object.fromEntries(
    parts.map((part) => [part, address[part]]).filter(([, value]) => value !== undefined),
  );
}

function withOtherForm(name: string, random: Random): string {
  return name.replace(
    /\s(?:B\.?V\.?|N\.?V\.?)$/i,
    ` ${random.pick(["VOF", "N.V.", "B.V.", "C.V.", "Coöperatie U.A."])}`,
  );
}

/** Names a company that may belong to the same group. */
function relativeOf(name: string, random: Random): string {
  const { words } = typedName(name);
  const number = words.findIndex((word) => /[0-9]/.test(word));
  const changed = words.map((word, at) =>
    at === number ? word.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10)) : word,
  );
  if (number !== -1) return changed.join(" ");
  const added = [
    "Holding",
    "Beheer",
    "Vastgoed",
    "Services",
    "Pensioenfonds",
    "Noord",
    "Zuid",
    "Nederland",
    "Europe",
    "2",
    "II",
    "Advies",
  ];
  return `${words.join(" ")} ${random.pick(added)} B.V.`;
}
