import { createHmac, hash, randomBytes } from "node:crypto";
import { comparedAddress } from "../contract/emailAddress.ts";

export interface SecretStore {
  /** The secret of this name; `candidate` becomes it when there is none. */
  secret(name: string, candidate: string): Promise<string>;
}

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

/**
 * A secret of the state, which is made when it is first needed and read once.
 * @returns reads it, hexadecimal; after a failure the next call reads again
 */
export function stateSecret(store: SecretStore, name: string): () => Promise<string> {
  let known: Promise<string> | undefined;
  return () => {
    known ??= store.secret(name, randomBytes(TOKEN_BYTES).toString("hex")).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

/** Hashes under a key that stays in the state, so that the hashes alone tell nothing. */
export class KeyedHashes {
  readonly #key: () => Promise<string>;

  /** @param keyName which secret of the state is the key */
  constructor(store: SecretStore, keyName: string) {
    this.#key = stateSecret(store, keyName);
  }

  /** HMAC-SHA-256, hexadecimal. */
  async of(text: string): Promise<string> {
    const key = Buffer.from(await this.#key(), "hex");
    return createHmac("sha256", key).update(text).digest("hex");
  }
}

/** Keyed hashes of e-mail addresses: what must be remembered of an address that has no account. */
export class AddressHashes extends KeyedHashes {
  constructor(store: SecretStore) {
    super(store, "addresses");
  }

  override of(email: string): Promise<string> {
    return super.of(comparedAddress(email));
  }
}
