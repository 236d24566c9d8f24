import type { PeopleStore, SignedInFrom } from "./peopleStore.ts";
import { KeyedHashes } from "./secrets.ts";

/** A network address is known to an account for so long after it last signed in from there. */
export const KNOWN_FOR_MS = 90 * 24 * 3_600_000;
const MOST_KNOWN = 20;

/**
 * The network addresses that an account has signed in from: from there strangers cannot lock it out. Kept as keyed hashes of account and
 * address together, so that they do not tell which accounts share one.
 */
export class KnownAddresses {
  readonly #store: PeopleStore;
  readonly #now: () => number;
  readonly #hashes: KeyedHashes;

  constructor(store: PeopleStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#hashes = new KeyedHashes(store, "network addresses");
  }

  /** @param address as tries are counted by it: an IPv6 address is its /64 */
  async from(accountId: string, address: string): Promise<SignedInFrom> {
    return { addressHash: await this.#hashes.of(`${accountId} ${address}`), mostKnown: MOST_KNOWN };
  }

  /** The same work for an account that there is not. */
  async isKnown(accountId: string | undefined, address: string): Promise<boolean> {
    const { addressHash } = await this.from(accountId ?? "", address);
    return this.#store.hasSignedInFrom(accountId ?? "", addressHash, this.#now() - KNOWN_FOR_MS);
  }
}
