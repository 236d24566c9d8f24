/**
 * Time-based codes of authenticator apps: TOTP (RFC 6238) with SHA-1, 30 seconds and six digits, which every app
 * supports.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { base32 } from "../lib/base32.ts";

const STEP_MS = 30_000;
const DIGITS = 6;
/** RFC 4226 requires 128 bits and recommends 160. */
export const TOTP_SECRET_BYTES = 20;
/** Accepted steps before and after the current one, for the device's clock (RFC 6238, 5.2). */
const MAX_STEPS_OFF = 1;

/** Returns the time step, counted from 1970. @param nowMs Unix milliseconds */
export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** Returns the code of a time step: HOTP (RFC 4226, 5.3) of its number. */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac[mac.length - 1] ?? 0) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

/** Whether a text has the format of a code. */
export function looksLikeCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/**
 * Returns the time step of a code, within {@link MAX_STEPS_OFF} of the current one and later than `lastStep`; undefined
 * for a wrong or used code. All steps are compared in every case.
 */
export function stepOfCode(
  secret: Uint8Array,
  code: string,
  { nowMs, lastStep }: { readonly nowMs: number; readonly lastStep: number },
): number | undefined {
  const present = stepAt(nowMs);
  const codeBytes = Buffer.from(code.padEnd(DIGITS).slice(0, DIGITS), "latin1");
  let found: number | undefined;
  for (let step = Math.max(0, present - MAX_STEPS_OFF); step <= present + MAX_STEPS_OFF; step++) {
    const fits = timingSafeEqual(Buffer.from(codeOf(secret, step), "latin1"), codeBytes);
    if (fits && step > lastStep) found ??= step;
  }
  return looksLikeCode(code) ? found : undefined;
}

/** Returns the content of the QR code (Google Authenticator's Key Uri Format, which other apps follow). */
export function keyUri(secret: Uint8Array, email: string): string {
  const issuer = "Opzoek";
  const query = new URLSearchParams({ secret: base32(secret), issuer, algorithm: "SHA1", digits: "6" });
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?${query}&period=30`;
}
