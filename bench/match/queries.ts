/** The queries of a half: every company written in every way. */
import { crc32 } from "node:zlib";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import { Random } from "../../src/demo/random.ts";
import type { MatchQuery } from "../../src/match/types.ts";
import type { NameSet } from "../relevance/queries.ts";
import type { Half } from "../relevance/registry.ts";
import { DAMAGE_CLASSES, type DamageClass, type Variant } from "./damage.ts";
import { type RealCompany, readRealCompanies, surveyCompanies } from "./data.ts";

/** Attempts to damage a name so that it does not become the name of another company. */
const MAX_TRIES = 20;

export interface TestQuery {
  readonly query: MatchQuery;
  /** Undefined if the company is withheld from the registry. */
  readonly truth: KvkNumber | undefined;
  /** The first damage made the name of another company, so the name was damaged in another way. */
  readonly isRemade: boolean;
}

/** The queries of one class and variant. */
export interface QuerySet {
  readonly damage: DamageClass;
  readonly variant: Variant;
  readonly queries: readonly TestQuery[];
  /** Companies whose data the damage does not change. */
  readonly unchanged: number;
  /** Companies whose damaged name is always the name of another company in the registry. */
  readonly renamed: number;
}

/** Makes the queries about companies. Those of a company depend on its number and on the names in the registry only. */
export function querySets(companies: readonly RealCompany[], names: NameSet): QuerySet[] {
  return DAMAGE_CLASSES.flatMap((damage) =>
    damage.variants.map((variant): QuerySet => {
      const made = companies.map((company) => queryFor(company, damage, variant, names));
      const queries = made.filter((one) => typeof one === "object");
      const unchanged = made.filter((one) => one === "unchanged").length;
      return { damage, variant, queries, unchanged, renamed: made.length - queries.length - unchanged };
    }),
  );
}

/** Both variants of a class damage a name in the same way. */
function queryFor(
  company: RealCompany,
  damage: DamageClass,
  variant: Variant,
  names: NameSet,
): TestQuery | "unchanged" | "renamed" {
  const random = new Random(crc32(`${damage.id} ${company.kvkNumber}`));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const query = damage.query(company, random, variant);
    if (query === undefined) return "unchanged";
    if (query.name !== undefined && names.isAnother(query.name, company.name)) continue;
    return { query, truth: company.isWithheld ? undefined : company.kvkNumber, isRemade: tries > 0 };
  }
  return "renamed";
}

/** A query with its class, for fitting weights. */
export interface TrainingQuery extends TestQuery {
  readonly damage: string;
  readonly variant: Variant;
}

/**
 * Yields the queries of a half for a registry with `companies` generated companies.
 * @throws {Error} if the file of real names is absent
 */
export function* trainingQueries(half: Half, companies = 25_000): Generator<TrainingQuery> {
  const { halves, names } = surveyCompanies(readRealCompanies(), companies);
  for (const { damage, variant, queries } of querySets(halves[half], names)) {
    for (const query of queries) yield { ...query, damage: damage.id, variant };
  }
}
