import { Type } from "typebox";
import { ApiError, invalid } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { refTo } from "../../contract/resources.ts";
import { type VatValidation, VatValidationSchema } from "../../contract/vatResources.ts";
import { deliver, verdictUnknown } from "../../lookup/answer.ts";
import type { RequesterRefused, VatVerdict } from "../../lookup/lookup.ts";
import { parseVatQuery } from "../../lookup/vatQuery.ts";
import { type Delivered, keyed } from "../endpoint.ts";
import { inMs, VerdictMaxAgeParameter } from "./shared.ts";

/** Checks a VAT number with VIES. */
export const validate = keyed({
  method: "GET",
  path: "/v1/validate/vat/:vatNumber",
  operation: "validate",
  tag: "VAT",
  summary: "Validate a VAT number",
  description: `Checks a VAT number with the EU's VIES (${PRICES.validate} token). \`validated\` is VIES's current answer, at most an hour old for a valid number and five minutes for an invalid one. \`stale\` is an earlier answer, because VIES does not answer now. \`malformed\` means that the number breaks the national format or the Dutch checksum; VIES was not asked. An outage is never reported as invalid: without any answer the response is UPSTREAM_ERROR and free. Checksums of other member states are reported in \`checksumValid\` and do not affect the verdict.

In the demo VIES is simulated. Numbers with five 9s show the outcomes by their last three digits: \`DE199999100\` (valid), \`DE799999200\` (not valid), \`DE399999301\` (Germany does not answer, so UPSTREAM_ERROR); \`DE12345678\` is malformed. For \`stale\`, check a number, make its state fail at the control address that the demo prints, and check it again with \`maxAge=0\`.`,
  tool: {
    name: "validate_vat_number",
    title: "Validate an EU VAT number",
    description: `Checks a Dutch or other EU VAT number with VIES. Read status before valid: validated is the current answer, stale is an earlier answer, because VIES does not answer now, and malformed is a number that no member state issues. An outage is the error UPSTREAM_ERROR, never "not valid". Costs ${PRICES.validate} token. Errors cost nothing.`,
  },
  schema: {
    params: Type.Object({
      vatNumber: Type.Unsafe<string>({
        type: "string",
        description:
          "VAT number with its country code (EL or GR for Greece, XI for Northern Ireland). Case and separators do not matter: spaces (also written `+`, except in Irish and announced Dutch numbers, which contain one), dots, dashes, slashes, colons, commas and invisible characters.",
        examples: ["NL912345603B01"],
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
            "Your own VAT number: VIES is asked at once, in your name, and returns a consultationNumber as proof.",
          examples: ["NL912345603B01"],
          "x-rule": "a VAT number",
          "x-secret": true,
        }),
      ),
    }),
    response: refTo<VatValidation>(VatValidationSchema),
  },
  read: ({ params, query }) => {
    const vatQuery = parseVatQuery(params.vatNumber, query.requester);
    if (!("wrongPart" in vatQuery)) return { vatQuery, maxAgeMs: inMs(query.maxAge) };
    const { wrongPart, message } = vatQuery;
    throw new ApiError(wrongPart === "number" ? "INVALID_VAT_NUMBER" : "INVALID_REQUEST", message);
  },
  cost: () => ({ operation: "validate", price: PRICES.validate }),
  handler: ({ vatQuery, maxAgeMs }, { lookup }) => deliver(lookup.verdict(vatQuery, maxAgeMs), delivered),
});

/** @throws {ApiError} UPSTREAM_ERROR without a verdict, INVALID_REQUEST when VIES rejects the requester */
function delivered(found: VatVerdict | RequesterRefused): Delivered {
  if ("requesterRefused" in found) {
    throw invalid("VIES rejects the requester: send your own valid VAT number, or omit requester");
  }
  const { vatNumber, verdict, consultationNumber } = found;
  if (verdict.status === "unvalidated") throw verdictUnknown();
  const body: VatValidation = {
    vatNumber,
    ...verdict,
    ...(consultationNumber !== undefined && { consultationNumber }),
  };
  return { charge: PRICES.validate, body };
}
