import { crc32 } from "node:zlib";
import { Random } from "../../src/demo/random.ts";
import type { QueryClass } from "./classes/queryClass.ts";
import { typedName } from "./classes/typedName.ts";
import type { NameSet } from "./nameSet.ts";
import type { NamedCompany } from "./names.ts";

/** What is typed, and for which company. */
export interface Query {
  readonly q: string;
  readonly wanted: NamedCompany;
}

/** A query that is another company's name is made again so often at most. */
const TRIES = 20;

/**
 * The queries of one class, in an order by chance, so that neighbours in the register are not asked one after the other.
 * The same seed, companies and names give the same queries; those of one company do not depend on the others.
 */
export function queriesOf(
  queryClass: QueryClass,
  companies: readonly NamedCompany[],
  { names, seed }: { names: NameSet; seed: number },
): Query[] {
  const placed = companies.flatMap((wanted) => {
    const random = new Random(crc32(`${seed} ${queryClass.id} ${wanted.kvkNumber}`));
    const place = random.bits();
    const q = queryFor(queryClass, wanted.name, random, names);
    return q === undefined ? [] : [{ place, query: { q, wanted } }];
  });
  return placed.sort((one, other) => one.place - other.place).map(({ query }) => query);
}

function queryFor(queryClass: QueryClass, name: string, random: Random, names: NameSet): string | undefined {
  const cut = typedName(name);
  for (let tries = 0; tries < TRIES; tries++) {
    const q = queryClass.type(cut, random);
    if (q === undefined || queryClass.isBeginning || !names.isAnother(q, name)) return q;
  }
  return undefined;
}
