import { crc32 } from "node:zlib";
import { Random } from "../../src/demo/registry/random.ts";
import type { QueryClass } from "./classes.ts";
import type { NameSet } from "./nameSet.ts";
import type { NamedCompany } from "./registry.ts";
import { typedName } from "./typedName.ts";

export interface Query {
  readonly q: string;
  /** The company that the query is meant to find. */
  readonly target: NamedCompany;
}

const SEED = 1;
/** Attempts to make a query that is not the name of another company. */
const MAX_TRIES = 20;

/**
 * Makes the queries of one class in random order, so that neighbours in the registry are not asked in a row. The
 * queries of a company depend on its number and on `names` only.
 */
export function queriesOf(
  queryClass: QueryClass,
  companies: readonly NamedCompany[],
  names: NameSet,
): Query[] {
  const placed = companies.flatMap((target) => {
    const random = new Random(crc32(`${SEED} ${queryClass.id} ${target.kvkNumber}`));
    const place = random.bits();
    const q = queryFor(queryClass, target.name, random, names);
    return q === undefined ? [] : [{ place, query: { q, target } }];
  });
  return placed.sort((one, other) => one.place - other.place).map(({ query }) => query);
}

function queryFor(queryClass: QueryClass, name: string, random: Random, names: NameSet): string | undefined {
  const parts = typedName(name);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const q = queryClass.type(parts, random);
    if (q === undefined || queryClass.isBeginning === true || !names.isAnother(q, name)) return q;
  }
  return undefined;
}
