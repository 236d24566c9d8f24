import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { refTo } from "../../contract/resources.ts";
import { type VatValidation, VatValidationSchema } from "../../contract/vatResources.ts";
import type { RequesterRefused, VatVerdict } from "../../lookup/lookup.ts";
import { readVatQuestion } from "../../lookup/vatQuestion.ts";
import { type Delivered, keyed } from "../endpoint.ts";
import { deliver, inMs } from "./delivering.ts";
import { VerdictMaxAgeParameter } from "./shared.ts";

/** What VIES says of a VAT number, today. */
export const validate = keyed({
  method: "GET",
  path: "/v1/validate/vat/:vatNumber",
  operation: "validate",
  tag: "VAT",
  summary: "Validate a VAT number",
  description: `What the EU's VIES says of a VAT number (${PRICES.validate} token). \`validated\` is its word of now, or of at most an hour ago for a valid number and five minutes for an invalid one; \`stale\` an earlier word, because VIES has none now; \`malformed\` means that the national format or the Dutch checksum refuses the number, and VIES was not asked. An outage is never told as invalid: without any word the answer is UPSTREAM_ERROR and costs nothing. Checksums of other states than the Netherlands are told in \`checksumValid\` and decide nothing.

In the demo VIES is simulated, and numbers of this form show what may happen: five 9s and three last digits with a meaning, such as \`DE199999100\` (valid), \`DE799999200\` (not valid), \`DE399999301\` (the state does not answer, so UPSTREAM_ERROR). For \`stale\`, ask for a number, make its state fail at the control address that the demo prints, and ask again with \`maxAge=0\`; \`DE12345678\` is malformed.`,
  schema: {
    params: Type.Object({
      vatNumber: Type.Unsafe<string>({
        type: "string",
        description:
          "VAT number with its country code (EL or GR for Greece, XI for Northern Ireland). Case and separators do not matter: spaces (also written `+`, except where Irish and announced Dutch numbers have one), dots, dashes, slashes, colons, commas and characters that cannot be seen.",
        examples: ["NL123456782B01"],
        "x-error": "INVALID_VAT_NUMBER",
        "x-rule": "a VAT number",
        "x-secret": true,
      }),
    }),
    querystring: Type.Object({
      maxAge: VerdictMaxAgeParameter,
      requester: Type.Optional(
        Type.Unsafe<string>({
          type: "string",
          description:
            "Your own VAT number: VIES is asked now, in your name, and gives a consultationNumber as proof.",
          examples: ["NL123456782B01"],
          "x-rule": "a VAT number",
          "x-secret": true,
        }),
      ),
    }),
    response: refTo<VatValidation>(VatValidationSchema),
  },
  read: ({ params, query }) => {
    const question = readVatQuestion(params.vatNumber, query.requester);
    if (!("isWrong" in question)) return { question, maxAgeMs: inMs(query.maxAge) };
    const { isWrong, message } = question;
    throw new ApiError(isWrong === "number" ? "INVALID_VAT_NUMBER" : "INVALID_REQUEST", message);
  },
  cost: () => ({ operation: "validate", price: PRICES.validate }),
  handler: ({ question, maxAgeMs }, { lookup }) => deliver(lookup.verdict(question, maxAgeMs), delivered),
});

/** @throws {ApiError} UPSTREAM_ERROR when nobody knows, INVALID_REQUEST when VIES refuses the requester */
function delivered(told: VatVerdict | RequesterRefused): Delivered {
  if ("requesterRefused" in told) {
    throw new ApiError(
      "INVALID_REQUEST",
      "VIES refuses the requester: give your own, valid VAT number, or leave requester out",
    );
  }
  const { vatNumber, verdict, consultationNumber } = told;
  if (verdict.status === "unvalidated") {
    throw verdictUnknown();
  }
  const body: VatValidation = {
    vatNumber,
    ...verdict,
    ...(consultationNumber !== undefined && { consultationNumber }),
  };
  return { charge: PRICES.validate, body };
}

/** Nobody knows whether a number is valid: VIES has no word now and none is held. */
export function verdictUnknown(): ApiError {
  return new ApiError(
    "UPSTREAM_ERROR",
    "VIES has no answer at the moment and no earlier one is held, so nobody knows whether the number is valid; nothing was charged, try again later",
  );
}
