import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { KEY_KINDS, type KeyKind } from "./keyKinds.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 30;
const CHECK_LENGTH = 6;
/** The largest multiple of 62 in a byte. Larger bytes are skipped, so that all characters are equally likely. */
const FAIR_BYTES = 248;
/**
 * The format of an API key: `opz_live_`, `opz_test_` or `opz_pub_`, 30 base62 characters, and 6 of a base62 CRC-32 over
 * all of that. Typos, and keys that leaked into a text, can be recognised offline.
 */
const FORM = /^opz_(live|test|pub)_[0-9A-Za-z]{36}$/;

/** A random text of `length` base62 characters. */
export function base62(length: number, randomBytes: (count: number) => Uint8Array): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_BYTES && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A new key. It is a secret: show it once, store its {@link hashKey}. */
export function makeKey(kind: KeyKind, randomBytes: (count: number) => Uint8Array): string {
  const body = `opz_${kind}_${base62(SECRET_LENGTH, randomBytes)}`;
  return body + checkOf(body);
}

/** Whether a text has the characters of a key; does not verify the check characters. */
export function looksLikeKey(text: string): boolean {
  return FORM.test(text);
}

/** Whether a text is a key with correct check characters; the key need not exist. */
export function isWellFormedKey(text: string): boolean {
  return looksLikeKey(text) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** The stored hash of a key: SHA-256 as 64 hexadecimal digits. The key's 178 random bits need no salt. */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** The parts of a key that may be shown later: its prefix and its last four characters. */
export function keyHint(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, key.lastIndexOf("_") + 1), lastFour: key.slice(-4) };
}

/**
 * Returns the kind in the prefix of a new key. The permissions of a key follow its stored kind.
 * @throws {RangeError} for a text that is not a key
 */
export function namedKind(key: string): KeyKind {
  const kind = FORM.exec(key)?.[1];
  const found = KEY_KINDS.find((known) => known === kind);
  if (found === undefined) throw new RangeError("not an API key");
  return found;
}

/** The base62 CRC-32 of a text. */
export function checkOf(body: string): string {
  let rest = crc32(body);
  let check = "";
  for (let index = 0; index < CHECK_LENGTH; index++) {
    check = BASE62[rest % 62] + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}
