/** VAT numbers: a company's own, and one that is checked by itself. Unknown values are absent. */
import { type Static, Type } from "typebox";
import { count, flag, resource, text, word } from "./fields.ts";

export const VAT_STATUSES = ["validated", "stale", "malformed", "unvalidated"] as const;
export type VatStatus = (typeof VAT_STATUSES)[number];

const checkedFields = {
  checksumValid: flag(
    "Whether the form and the national checksum are right; this does not mean that the number exists.",
    true,
  ),
  ageSeconds: Type.Optional(count("Seconds since validatedAt; only with a stale verdict.")),
};
const validatedAt = Type.Optional(
  text("When VIES gave the verdict, by its own clock, ISO 8601 UTC.", "2026-11-21T12:00:00.000Z"),
);

export const VatSchema = resource("Vat", "The VAT number of a company and the verdict of VIES.", {
  number: text("The VAT number, normalised.", "NL912345603B01"),
  valid: Type.Optional(
    flag(
      "The verdict of VIES; absent when unvalidated. `false` for a number with origin `rsin` says nothing about the company: it may be in a fiscal unit, which has another number, or not be liable for VAT.",
      true,
    ),
  ),
  status: word(
    VAT_STATUSES,
    "`validated`: a current verdict of VIES; `stale`: an earlier one, because VIES does not answer now; `malformed`: the number breaks the rules; `unvalidated`: VIES does not answer and no verdict is cached.",
  ),
  validatedAt,
  ...checkedFields,
  origin: word(
    ["registry", "rsin"],
    "`registry`: the registry gave the number; `rsin`: derived as NL + RSIN + B01, the number of a legal person that is in no fiscal unit.",
    "rsin",
  ),
});
export type Vat = Static<typeof VatSchema>;

export const VatValidationSchema = resource("VatValidation", "The verdict on a VAT number.", {
  vatNumber: text("The number, normalised: country code first, no separators.", "NL912345603B01"),
  valid: flag("The verdict of VIES; false when malformed.", true),
  name: Type.Optional(
    text("The holder of the number; absent where VIES withholds it.", "BAKKERIJ DE GOUDEN KORENAAR B.V."),
  ),
  address: Type.Optional(
    text("The address on one line; absent where VIES withholds it.", "KORENMOLENLAAN 17M, 1012AB AMSTERDAM"),
  ),
  validatedAt,
  status: word(
    ["validated", "stale", "malformed"],
    "`validated`: a current or fresh verdict of VIES; `stale`: an earlier one, because VIES does not answer now; `malformed`: the number breaks the rules, so VIES was not asked.",
  ),
  ...checkedFields,
  consultationNumber: Type.Optional(
    text("VIES's proof of this consultation; only with `requester`.", "WAPIAAAAaEDkvhHx"),
  ),
});
export type VatValidation = Static<typeof VatValidationSchema>;
