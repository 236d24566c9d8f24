import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { KEY_KINDS, type KeyKind } from "./keyKinds.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 30;
const CHECK_LENGTH = 6;
/** The largest multiple of 62 in a byte: bytes above it are drawn again, so that every character is as likely. */
const FAIR_BYTES = 248;
/**
 * The form of an API key: `opz_live_`, `opz_test_` or `opz_pub_`, 30 base62 characters, 6 of a base62 CRC-32 over all
 * that precedes. A typo, and a key that leaked into a text, are recognised without asking anyone.
 */
const FORM = /^opz_(live|test|pub)_[0-9A-Za-z]{36}$/;

/** Text of `length` base62 characters; `randomBytes` says where they come from. */
export function base62(length: number, randomBytes: (count: number) => Uint8Array): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_BYTES && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A new key of the form above. It is a secret: show it once, store {@link hashKey} of it. */
export function makeKey(kind: KeyKind, randomBytes: (count: number) => Uint8Array): string {
  const body = `opz_${kind}_${base62(SECRET_LENGTH, randomBytes)}`;
  return body + checkOf(body);
}

/** Whether a text has the characters of a key; its check is not looked at. */
export function looksLikeKey(text: string): boolean {
  return FORM.test(text);
}

/** Whether a text has the form of a key and its check fits; says nothing of whether the key exists. */
export function isWellFormedKey(text: string): boolean {
  return looksLikeKey(text) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** What is stored of a key: SHA-256 as 64 hexadecimal digits. The key's 178 random bits need no salt. */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** What a person may see of a key later: its kind's prefix and its last four characters. */
export function keyHint(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, key.lastIndexOf("_") + 1), lastFour: key.slice(-4) };
}

/**
 * The kind that a new key names. What a key may do is decided by what is stored of it, see the migration `0028_key_kinds`.
 * @throws {RangeError} for a text that has not the form of a key
 */
export function namedKind(key: string): KeyKind {
  const kind = FORM.exec(key)?.[1];
  const found = KEY_KINDS.find((known) => known === kind);
  if (found === undefined) throw new RangeError("a text that has not the form of a key names no kind");
  return found;
}

/** The base62 CRC-32 of what precedes it. */
export function checkOf(body: string): string {
  let rest = crc32(body);
  let check = "";
  for (let index = 0; index < CHECK_LENGTH; index++) {
    check = BASE62[rest % 62] + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}
