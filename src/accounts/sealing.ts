/** Secrets of people that the state must hold and must not tell: under a key that lies elsewhere. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
export const SEAL_KEY_BYTES = 32;
/** What GCM is made for (NIST SP 800-38D, 8.2); random, which is safe for 2^32 secrets under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "1";
const KEY_NAME_LENGTH = 16;

/** Where the name of its key stands in a sealed text, as `substr` of SQL counts. */
export const SEALED_KEY = { from: `${VERSION}.`.length + 1, length: KEY_NAME_LENGTH };

/** Where the keys are that secrets are sealed under, 32 bytes each. */
export interface SealKeys {
  /** The key for new secrets; may be made by this. Undefined when there is none and none may be made. */
  toSeal(): Buffer | undefined;
  /** All keys that secrets may have been sealed under. */
  toOpen(): readonly Buffer[];
}

/** A secret cannot be opened here: an outage, and no word on whether what a person sent is right. */
export class SealUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SealUnavailable";
  }
}

/**
 * Seals by AES-256-GCM. A sealed text is `version.key.nonce.content`, base64url; `key` names which key it was, by the start of its SHA-256.
 * @param owner whose it is: moved to somebody else it cannot be opened
 * @throws {SealUnavailable} without a key
 */
export function seal(keys: SealKeys, secret: Uint8Array, owner: string): string {
  const key = keys.toSeal();
  if (key === undefined) throw new SealUnavailable("there is no key for secrets of two-factor sign-in");
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner, "utf8"));
  const content = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, nameOfSealKey(key), nonce.toString("base64url"), content.toString("base64url")].join(".");
}

/** What was sealed. @throws {SealUnavailable} when its key is not here, or it was changed */
export function open(keys: SealKeys, sealed: string, owner: string): Buffer {
  const [version, name, nonce = "", content = ""] = sealed.split(".");
  const key = keys.toOpen().find((candidate) => nameOfSealKey(candidate) === name);
  if (version !== VERSION || key === undefined) {
    throw new SealUnavailable("the key that a secret of two-factor sign-in was sealed under is not here");
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
    throw new SealUnavailable("a secret of two-factor sign-in is damaged, or somebody else's");
  }
}

/** By which a sealed text names its key; it tells nothing of the key. */
export function nameOfSealKey(key: Buffer): string {
  return hash("sha256", key, "hex").slice(0, KEY_NAME_LENGTH);
}
