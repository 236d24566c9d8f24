import { checkOf } from "./keyForm.ts";

/**
 * The format of a browser token: `opz_tok_`, content and signature in base64url, and 6 characters of a base62 CRC-32
 * over all of that, as in a key: a token that leaked into a text can be recognised offline.
 */
const PREFIX = "opz_tok_";
const CHECK_LENGTH = 6;
/** The maximum length that is parsed; real tokens are shorter. */
const MAX_LENGTH = 1_000;
const FORM = /^opz_tok_[A-Za-z0-9_-]{60,}$/;

/** @param content the content and its signature */
export function tokenOf(content: Uint8Array): string {
  const body = PREFIX + Buffer.from(content).toString("base64url");
  return body + checkOf(body);
}

/** Whether a text begins like a token; a key never does. */
export function looksLikeBrowserToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The content of a token; `undefined` for a text without its form. Does not verify the signature. */
export function contentOfToken(token: string): Buffer | undefined {
  if (token.length > MAX_LENGTH || !FORM.test(token)) return undefined;
  const body = token.slice(0, -CHECK_LENGTH);
  if (checkOf(body) !== token.slice(-CHECK_LENGTH)) return undefined;
  return Buffer.from(body.slice(PREFIX.length), "base64url");
}

/** Calls per minute from one client address with one key, or in one typing session with a token. */
export const BROWSER_CALLS_PER_MINUTE = 30;

/** The lifetime of a token: minimum, maximum and default. */
export const TOKEN_MINUTES = { min: 5, max: 60, usual: 15 } as const;
