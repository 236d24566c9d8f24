/** The form of an encrypted secret in the state: `version.key.nonce.content`. */

export const SEAL_VERSION = "1";

/** The length of the key's name. */
export const KEY_NAME_LENGTH = 16;

/** The position of the key's name in an encrypted text, for SQL's `substr`. */
export const SEALED_KEY = { from: `${SEAL_VERSION}.`.length + 1, length: KEY_NAME_LENGTH };

export const SEAL_KEY_BYTES = 32;
