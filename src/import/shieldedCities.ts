import type { CompanyFacts } from "../company/facts.ts";
import { isPlace, plainPlace } from "../company/places.ts";
import type { Address } from "../contract/resources.ts";

const MAX_CITIES = 100_000;

/**
 * Leaves out the city of a shielded address unless it is the name of a place: people write more of the address, and
 * names, into its cell. Places are those of `isPlace`, and the cities of open addresses in the registry and in the
 * import so far. Where there are none of these, a single word is taken for a place if the company does not have it in
 * its name.
 */
export class ShieldedCities {
  readonly #known = new Set<string>();
  readonly #seen = new Set<string>();
  #stored: (() => Iterable<string>) | undefined;

  /** @param stored the cities of open addresses in the registry; read when needed first */
  constructor(stored: () => Iterable<string>) {
    this.#stored = stored;
  }

  /** The facts without texts that may be more than a city. */
  cleaned(facts: CompanyFacts): CompanyFacts {
    const { address, branches } = facts;
    if (address?.isShielded !== true) this.#learn(address?.city);
    const isDoubtful = (shown?: Address) =>
      shown?.isShielded === true && shown.city !== undefined && !this.#isCity(shown.city, facts.name);
    const without = <Part extends { readonly address?: Address }>(part: Part): Part => {
      if (!isDoubtful(part.address)) return part;
      const { city: _, ...rest } = part.address ?? {};
      return { ...part, address: rest };
    };
    const isAnyDoubtful = branches?.some((branch) => isDoubtful(branch.address)) === true;
    return without(isAnyDoubtful ? { ...facts, branches: branches.map(without) } : facts);
  }

  #learn(city: string | undefined): void {
    if (city === undefined || this.#seen.has(city) || this.#seen.size >= MAX_CITIES) return;
    this.#seen.add(city);
    this.#known.add(plainPlace(city));
  }

  #isCity(city: string, companyName: string): boolean {
    if (isPlace(city, this.#known)) return true;
    for (const stored of this.#stored?.() ?? []) this.#learn(stored);
    this.#stored = undefined;
    if (this.#known.size > 0) return isPlace(city, this.#known);
    const plain = plainPlace(city);
    return !/[^\p{L}'’]/u.test(city) && !plainPlace(companyName).split(" ").includes(plain);
  }
}
