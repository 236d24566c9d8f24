import { passesElfproef } from "../../contract/numbers.ts";
import { remainderBy97 } from "./checksums/iso7064.ts";
import type { Checksum } from "./fault.ts";
import { digits, layout, NON_ZERO, oneOf } from "./layout.ts";

/** Nine digits, `B` and 01 to 99: `B00` is never given out. Source: Belastingdienst; python-stdnum `stdnum/nl/btw.py`. */
export const DUTCH_LAYOUTS = [
  layout(digits(9), oneOf("B"), oneOf("0"), NON_ZERO),
  layout(digits(9), oneOf("B"), NON_ZERO, digits(1)),
];

/** The Commission's table already allows letters, + and * in every place; the Netherlands issues none of those yet. */
export const ANNOUNCED_FORM =
  "Letters, + and * there are announced for later; no such number has been issued so far.";

/**
 * The Dutch checksum, passed by either rule: the elfproef of the nine digits (numbers that come from an RSIN or a citizen number),
 * or, for sole traders since 2020, modulo 97 = 1 over the whole number with `NL`.
 * Source: Belastingdienst, btw-identificatienummer; python-stdnum `stdnum/nl/btw.py`.
 */
export const dutch: Checksum = (national) =>
  passesElfproef(national.slice(0, 9)) || remainderBy97(`NL${national}`) === 1
    ? undefined
    : {
        rule: "elfproef or modulo 97",
        position: 9,
        message:
          "Neither Dutch rule holds: not the elfproef, whose check digit is position 9, and not modulo 97 over the " +
          "whole number, whose check digits are positions 11 and 12. Look for a mistyped digit.",
      };
