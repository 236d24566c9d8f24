import { crc32 } from "node:zlib";
import { Random } from "../../src/demo/registry/random.ts";
import { exactKey } from "../../src/search/legalFormWords.ts";
import { normalise } from "../../src/search/normalise.ts";
import type { QueryClass } from "./classes.ts";
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
/** 64 MB: with five million names, one text in a hundred is taken for a name by mistake. */
const BITS = 2 ** 29;

/**
 * The names of a registry as a bitmap of hashes. It may take a text for a name by mistake, never the other way round; such
 * a query is only made again.
 */
export class NameSet {
  readonly #bits = new Uint8Array(BITS / 8);

  add(name: string): void {
    for (const hash of hashesOf(name)) {
      this.#bits[hash >>> 3] = (this.#bits[hash >>> 3] ?? 0) | (1 << (hash & 7));
    }
  }

  /** Whether a text is a name in the registry other than `name`, with or without its legal form. */
  isAnother(text: string, name: string): boolean {
    const own = hashesOf(name);
    return hashesOf(text).some(
      (hash) => !own.includes(hash) && ((this.#bits[hash >>> 3] ?? 0) & (1 << (hash & 7))) !== 0,
    );
  }
}

/** Hashes of the whole name and of the name without legal form and spaces. */
function hashesOf(name: string): readonly number[] {
  const normal = normalise(name);
  return [normal, `=${exactKey(normal)}`].map((text) => crc32(text) % BITS);
}

/**
 * Makes the queries of one class in random order, so that neighbours in the registry are not asked in a row. The queries
 * of a company depend on its number and on `names` only.
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
