import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { PRICES } from "../../contract/prices.ts";
import { refTo } from "../../contract/resources.ts";
import { type VatValidation, VatValidationSchema } from "../../contract/vatResources.ts";
import { checkVatNumber } from "../../vat/numbers/check.ts";
import { isVatNumber, parseVatNumber, type VatNumber } from "../../vat/numbers/parse.ts";
import type { Verdict } from "../../vat/verdicts/verdict.ts";
import type { Requester } from "../../vat/vies/upstream.ts";
import { type Delivered, type Delivery, keyed, type Services } from "../endpoint.ts";
import { inMs, VerdictMaxAgeParameter } from "./shared.ts";

/** A number of the EU's one-stop shop has no state; VIES knows it as a requester only. */
const ONE_STOP_SHOP = /^EU([0-9]{9})$/;

/** What VIES says of a VAT number, today. */
export const validate = keyed({
  method: "GET",
  path: "/v1/validate/vat/:vatNumber",
  operation: "validate",
  tag: "VAT",
  summary: "Validate a VAT number",
  description: `What the EU's VIES says of a VAT number (${PRICES.validate} token). \`validated\` is its word of now, or of at most an hour ago for a valid number and five minutes for an invalid one; \`stale\` an earlier word, because VIES has none now; \`malformed\` means that the national format or the Dutch checksum refuses the number, and VIES was not asked. An outage is never told as invalid: without any word the answer is UPSTREAM_ERROR and costs nothing. Checksums of other states than the Netherlands are told in \`checksumValid\` and decide nothing.

In the demo VIES is simulated, and numbers of this form show what may happen: five 9s and three last digits with a meaning, such as \`DE199999100\` (valid), \`DE799999200\` (not valid), \`DE399999301\` (the state does not answer, so UPSTREAM_ERROR). For \`stale\`, ask for a number, make its state fail at the control address that the demo prints, and ask again with \`maxAge=0\`; \`DE012345678\` is malformed.`,
  schema: {
    params: Type.Object({
      vatNumber: Type.Unsafe<string>({
        type: "string",
        description:
          "VAT number with its country code (EL or GR for Greece, XI for Northern Ireland). Spaces, dots, dashes, slashes and lower case do not matter.",
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
    const number = parseVatNumber(params.vatNumber);
    if (!isVatNumber(number)) throw new ApiError("INVALID_VAT_NUMBER", number.message);
    const requester = query.requester === undefined ? undefined : readRequester(query.requester);
    return { number, requester, maxAgeMs: inMs(query.maxAge) };
  },
  cost: () => ({ operation: "validate", price: PRICES.validate }),
  handler: ({ number, requester, maxAgeMs }, services) => {
    if (requester !== undefined) return consult(number, requester, services);
    const known = services.verdicts.fromMemory(number, maxAgeMs);
    return known === undefined ? look(number, maxAgeMs, services) : delivered(number, known);
  },
});

async function look(
  number: VatNumber,
  maxAgeMs: number | undefined,
  { verdicts }: Services,
): Promise<Delivery> {
  const [stored] = await verdicts.fromStore([number], maxAgeMs);
  if (stored !== undefined) return delivered(number, stored);
  return { outside: async () => delivered(number, await verdicts.fromVies(number)) };
}

function consult(number: VatNumber, requester: Requester, { verdicts }: Services): Delivery {
  if (checkVatNumber(number).isMalformed) {
    return delivered(number, { status: "malformed", valid: false, checksumValid: false });
  }
  return {
    outside: async (accountId) => {
      const consulted = await verdicts.consult(number, requester, accountId);
      if ("requesterRefused" in consulted) throw refusedRequester();
      return delivered(number, consulted.verdict, consulted.consultationNumber);
    },
  };
}

/** @throws {ApiError} UPSTREAM_ERROR when nobody knows */
function delivered({ vatNumber }: VatNumber, verdict: Verdict, consultationNumber?: string): Delivered {
  if (verdict.status === "unvalidated") {
    throw new ApiError(
      "UPSTREAM_ERROR",
      "VIES has no answer at the moment and no earlier one is held, so nobody knows whether the number is valid; nothing was charged, try again later",
    );
  }
  const body: VatValidation = {
    vatNumber,
    ...verdict,
    ...(consultationNumber !== undefined && { consultationNumber }),
  };
  return { charge: PRICES.validate, body };
}

function readRequester(text: string): Requester {
  const number = parseVatNumber(text);
  if (isVatNumber(number)) {
    if (checkVatNumber(number).isMalformed) throw badRequester();
    return number;
  }
  const [, oneStopShop] = ONE_STOP_SHOP.exec(text.replaceAll(/[\s.-]/g, "").toUpperCase()) ?? [];
  if (oneStopShop === undefined) throw badRequester();
  return { countryCode: "EU", national: oneStopShop };
}

function badRequester(): ApiError {
  return new ApiError(
    "INVALID_REQUEST",
    "requester must be a VAT number of an EU state, of Northern Ireland or of the one-stop shop: give your own, with its country code",
  );
}

function refusedRequester(): ApiError {
  return new ApiError(
    "INVALID_REQUEST",
    "VIES refuses the requester: give your own, valid VAT number, or leave requester out",
  );
}
