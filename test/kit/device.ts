import { codeOf, stepAt } from "../../src/accounts/totp.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Generates two-factor codes from a secret, like an app on a phone. */
export class Device {
  readonly #secret: Buffer;

  /** @param base32 the secret as the page shows it */
  constructor(base32: string) {
    const bits = [...base32].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
    this.#secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  }

  /** The code at a time. @param stepOffset a number of steps earlier or later */
  code(nowMs: number, stepOffset = 0): string {
    return codeOf(this.#secret, stepAt(nowMs) + stepOffset);
  }

  /** A code that is invalid at all steps near a time. */
  wrong(nowMs: number): string {
    const near = [-2, -1, 0, 1, 2].map((stepOffset) => this.code(nowMs, stepOffset));
    const found = Array.from({ length: 6 }, (_, digit) => String(digit).repeat(6)).find(
      (code) => !near.includes(code),
    );
    return found ?? "";
  }
}
