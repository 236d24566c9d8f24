import { createHmac, hash, randomBytes } from "node:crypto";
import { comparedAddress } from "../contract/emailAddress.ts";
import type { PeopleStore } from "./peopleStore.ts";

const TOKEN_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A new secret of 256 random bits, fit for a link or a cookie. What is stored is {@link hashToken} of it. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Whether a text has the form of {@link newToken}: anything else need not be looked up. */
export function looksLikeToken(text: string): boolean {
  return FORM.test(text);
}

/** SHA-256, hexadecimal; 256 random bits need no salt. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/** Hashes under a key that stays in the state, so that the hashes alone tell nothing. */
export class KeyedHashes {
  readonly #store: Pick<PeopleStore, "secret">;
  readonly #keyName: string;
  #key: Promise<string> | undefined;

  /** @param keyName which secret of the state is the key; it is made when it is first needed */
  constructor(store: Pick<PeopleStore, "secret">, keyName: string) {
    this.#store = store;
    this.#keyName = keyName;
  }

  /** HMAC-SHA-256, hexadecimal. */
  async of(text: string): Promise<string> {
    this.#key ??= this.#store.secret(this.#keyName, randomBytes(TOKEN_BYTES).toString("hex"));
    try {
      return createHmac("sha256", Buffer.from(await this.#key, "hex"))
        .update(text)
        .digest("hex");
    } catch (error) {
      // The state was away: the next one asks again.
      this.#key = undefined;
      throw error;
    }
  }
}

/** Keyed hashes of e-mail addresses: what must be remembered of an address that has no account. */
export class AddressHashes {
  readonly #hashes: KeyedHashes;

  constructor(store: Pick<PeopleStore, "secret">) {
    this.#hashes = new KeyedHashes(store, "addresses");
  }

  of(email: string): Promise<string> {
    return this.#hashes.of(comparedAddress(email));
  }
}
