import { codeOf, stepAt } from "../../src/accounts/totp.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What makes codes of two-factor sign-in from a secret, as an app on a phone does. */
export class Device {
  readonly #secret: Buffer;

  /** @param base32 the secret as the page shows it */
  constructor(base32: string) {
    const bits = [...base32].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
    this.#secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  }

  /** The code of a moment. @param beside so many steps earlier or later */
  code(nowMs: number, beside = 0): string {
    return codeOf(this.#secret, stepAt(nowMs) + beside);
  }

  /** A code that is good at none of the steps near a moment. */
  wrong(nowMs: number): string {
    const near = [-2, -1, 0, 1, 2].map((beside) => this.code(nowMs, beside));
    const found = Array.from({ length: 6 }, (_, digit) => String(digit).repeat(6)).find(
      (code) => !near.includes(code),
    );
    return found ?? "";
  }
}
