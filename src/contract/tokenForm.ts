import { checkOf } from "./keyForm.ts";

/**
 * The form of a browser's token: `opz_tok_`, what it says and its signature in base64url, and 6 characters of a base62 CRC-32 over all
 * that precedes, as of a key: one that leaked into a text is recognised without asking anyone.
 */
const PREFIX = "opz_tok_";
const CHECK_LENGTH = 6;
/** So that reading one costs little; what is made here is shorter. */
const MOST_LENGTH = 1_000;
const FORM = /^opz_tok_[A-Za-z0-9_-]{60,}$/;

/** @param content what it says, and its signature */
export function tokenOf(content: Uint8Array): string {
  const body = PREFIX + Buffer.from(content).toString("base64url");
  return body + checkOf(body);
}

/** Whether a text begins as a token does; a key never does. */
export function looksLikeBrowserToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** What a token holds; `undefined` for a text that has not its form. Says nothing of whether the service made it. */
export function contentOfToken(token: string): Buffer | undefined {
  if (token.length > MOST_LENGTH || !FORM.test(token)) return undefined;
  const body = token.slice(0, -CHECK_LENGTH);
  if (checkOf(body) !== token.slice(-CHECK_LENGTH)) return undefined;
  return Buffer.from(body.slice(PREFIX.length), "base64url");
}
