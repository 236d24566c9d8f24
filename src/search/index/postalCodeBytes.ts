import { SIGNS } from "../facets.ts";

const SIGN = SIGNS.postalCode.charCodeAt(0);
const SPACE = 0x20;
const LETTER_I = 0x69;
const LETTER_J = 0x6a;
const LETTER_Y = 0x79;

/**
 * Writes the word that stands for a postal code of the form `1234 AB`, coded, as `postalCodeWord` and `codeWord` make it.
 * @returns how many bytes it has; 0 for a postal code of another form
 */
export function writePostalCodeWord(bytes: Uint8Array, from: number, to: number, target: Uint8Array): number {
  if (to - from !== 7 || bytes[from + 4] !== SPACE) return 0;
  target[0] = SIGN;
  for (let nth = 0; nth < 4; nth++) {
    const digit = bytes[from + nth] ?? 0;
    if (digit < 0x30 || digit > 0x39) return 0;
    target[nth + 1] = digit;
  }
  const [first, second] = [(bytes[from + 5] ?? 0) | SPACE, (bytes[from + 6] ?? 0) | SPACE];
  if (!isSmallLetter(first) || !isSmallLetter(second)) return 0;
  if (first === LETTER_I && second === LETTER_J) {
    target[5] = LETTER_Y;
    return 6;
  }
  target[5] = first;
  target[6] = second;
  return 7;
}

function isSmallLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}
