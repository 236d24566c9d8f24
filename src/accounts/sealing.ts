/** Encrypts people's secrets in the state, under a key that is stored elsewhere. */

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { KEY_NAME_LENGTH, SEAL_VERSION } from "../database/schema/sealed.ts";

const CIPHER = "aes-256-gcm";
/** The nonce length of GCM (NIST SP 800-38D, 8.2). Random nonces are safe for 2^32 secrets per key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The keys that encrypt secrets, 32 bytes each. */
export interface SealKeys {
  /** Returns the key for new secrets and may create it; undefined if there is none and none may be created. */
  toSeal(): Buffer | undefined;
  /** Returns all keys that may have encrypted secrets. */
  toOpen(): readonly Buffer[];
}

/** A secret cannot be decrypted here. This is an outage, not an error in the person's input. */
export class SealUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SealUnavailable";
  }
}

/**
 * Encrypts with AES-256-GCM. The result is `version.key.nonce.content`, base64url; `key` is the start of the key's
 * SHA-256.
 * @param owner the account: a secret moved to another account cannot be decrypted
 * @throws {SealUnavailable} without a key
 */
export function seal(keys: SealKeys, secret: Uint8Array, owner: string): string {
  const key = keys.toSeal();
  if (key === undefined) throw new SealUnavailable("there is no key for two-factor secrets");
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner, "utf8"));
  const content = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return [SEAL_VERSION, nameOfSealKey(key), nonce.toString("base64url"), content.toString("base64url")].join(
    ".",
  );
}

/** Decrypts a secret. @throws {SealUnavailable} if its key is missing, or the text was changed */
export function open(keys: SealKeys, sealed: string, owner: string): Buffer {
  const [version, name, nonce = "", content = ""] = sealed.split(".");
  const key = keys.toOpen().find((candidate) => nameOfSealKey(candidate) === name);
  if (version !== SEAL_VERSION || key === undefined) {
    throw new SealUnavailable("the key that encrypted a two-factor secret is missing");
  }
  const bytes = Buffer.from(content, "base64url");
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, "base64url"), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(owner, "utf8"));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealUnavailable("a two-factor secret is damaged, or belongs to another account");
  }
}

/** Returns the name of a key in encrypted texts, which reveals nothing about the key. */
export function nameOfSealKey(key: Buffer): string {
  return hash("sha256", key, "hex").slice(0, KEY_NAME_LENGTH);
}
