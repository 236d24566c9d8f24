import { createHmac, hash, randomBytes } from "node:crypto";
import { comparedAddress } from "../contract/emailAddress.ts";
import type { SecretQueries } from "./queries/persons.ts";

const TOKEN_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new secret of 256 random bits for a link or a cookie. Only its {@link hashToken} is stored. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Whether a text has the format of {@link newToken}. */
export function looksLikeToken(text: string): boolean {
  return FORM.test(text);
}

/** SHA-256, hexadecimal; 256 random bits need no salt. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Returns a function that reads a secret of the state, hexadecimal. The secret is created on first use and read once;
 * after a failure the next call reads it again.
 */
export function stateSecret(store: SecretQueries, name: string): () => Promise<string> {
  let known: Promise<string> | undefined;
  return () => {
    known ??= store.secret(name, randomBytes(TOKEN_BYTES).toString("hex")).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

/** Hashes with a key from the state, so that the hashes alone reveal nothing. */
export class KeyedHashes {
  readonly #key: () => Promise<string>;

  /** @param keyName name of the state's secret */
  constructor(store: SecretQueries, keyName: string) {
    this.#key = stateSecret(store, keyName);
  }

  /** HMAC-SHA-256, hexadecimal. */
  async of(text: string): Promise<string> {
    const key = Buffer.from(await this.#key(), "hex");
    return createHmac("sha256", key).update(text).digest("hex");
  }
}

/** Keyed hashes of email addresses, for data about addresses without an account. */
export class AddressHashes extends KeyedHashes {
  constructor(store: SecretQueries) {
    super(store, "addresses");
  }

  override of(email: string): Promise<string> {
    return super.of(comparedAddress(email));
  }
}
