/**
 * Hints in the answers of autocomplete and search: why a text found nothing, or how it was read. None repeats the
 * text, which may be a citizen's number.
 */
import { type Static, Type } from "typebox";
import { resource, text } from "./fields.ts";

/** The message of each hint. */
export const HINTS = {
  lost_zero: "A KVK number has eight digits; this one may have lost a leading zero.",
  rsin_unknown: "No company with this RSIN was found; search for the name or KVK number.",
  vat_number_unknown:
    "No legal person with this VAT number was found; GET /v1/validate/vat says whether it is valid.",
  foreign_vat_number:
    "This is a VAT number of another country; GET /v1/validate/vat says whether it is valid.",
  branch_number: "This is the number of a branch; search for the name or KVK number of its company.",
  lei: "No company with this LEI was found; search for the name or KVK number of the company.",
  iban: "This is a bank account number; search for the name or KVK number of its holder.",
  phone_number: "This is a phone number; search for the name or KVK number of the company.",
  email_address: "This is an e-mail address; search for the name of the company.",
  website: "This is a web address; search for the name of the company.",
} as const;
export type HintCode = keyof typeof HINTS;

export const HintSchema = resource("Hint", "Why a text found nothing, or how it was read.", {
  code: Type.Unsafe<HintCode>({
    type: "string",
    enum: Object.keys(HINTS),
    examples: ["lost_zero"],
    description:
      "`lost_zero`: a KVK number of seven digits, read with a leading zero; `rsin_unknown`, `vat_number_unknown`, `lei`: no company with the number was found; the others say what the text is: `foreign_vat_number`, `branch_number`, `iban`, `phone_number`, `email_address`, `website`.",
  }),
  message: text("The hint as a sentence.", HINTS.lost_zero),
});
export type Hint = Static<typeof HintSchema>;
