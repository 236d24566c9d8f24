import { Type } from "typebox";
import { ENRICHED_RULE, enrichedCharge } from "../../contract/enrichedCharge.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { text } from "../../contract/fields.ts";
import { isKvkNumber, kvkNumberOfEuid } from "../../contract/numbers.ts";
import { PRICES } from "../../contract/prices.ts";
import {
  type BasicCompany,
  type BatchBasicCompany,
  type Company,
  CompanySchema,
  refTo,
} from "../../contract/resources.ts";
import { companyError, deliver } from "../../lookup/answer.ts";
import type { BatchItem } from "../../lookup/batch.ts";
import { type Delivered, keyed } from "../endpoint.ts";

const MAX_NUMBERS = 100;
/** This many enriched companies take at most 2 ms of the event loop; more run in several turns. */
const MAX_AT_ONCE = 20;

export const FailedItem = Type.Object({
  kvkNumber: text("The number as it was sent.", "123"),
  error: Type.Object(
    {
      code: text("One of the error codes.", "INVALID_KVK_NUMBER"),
      message: text("The error of this number.", 'kvkNumber must be exactly 8 digits; received "123"'),
    },
    { description: "Why it failed." },
  ),
});

/** Two companies of the demo in a basic batch. */
const FOUND: readonly BatchBasicCompany[] = [
  {
    kvkNumber: "51234567",
    name: "Bakkerij De Gouden Korenaar B.V.",
    address: { postalCode: "1012 AB", city: "Amsterdam" },
    isActive: true,
  },
  {
    kvkNumber: "09876543",
    name: "Houtzagerij De Oude Wind",
    address: { postalCode: "1506 AB", city: "Zaandam" },
    isActive: true,
  },
];

interface Failed {
  readonly kvkNumber: string;
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** Up to 100 companies in one call. */
export const batch = keyed({
  method: "POST",
  path: "/v1/lookup/batch",
  operation: "batch",
  tokens: `for each company returned ${PRICES.batch}, ${ENRICHED_RULE}`,
  tag: "Companies",
  summary: "Look up many companies at once",
  description: `Up to ${MAX_NUMBERS} companies in one call, which counts once towards the rate limit. Each delivered company costs ${PRICES.batch} token, or ${PRICES["batch.enriched"]} enriched. A basic result has kvkNumber, name, isActive, and city and postalCode of the address. A repeated number is answered and charged once. An invalid number does not fail the batch.`,
  schema: {
    body: Type.Object({
      // A number with a trailing line break must fail alone, not the whole batch.
      kvkNumbers: Type.Array(Type.String({ "x-multiline": true }), {
        minItems: 1,
        maxItems: MAX_NUMBERS,
        description: "KVK numbers, eight digits each, or EUIDs.",
        examples: [FOUND.map(({ kvkNumber }) => kvkNumber)],
      }),
      enrich: Type.Optional(
        Type.Boolean({ description: "Return all known data of each company.", examples: [false] }),
      ),
    }),
    response: Type.Object({
      results: Type.Array(refTo<Company>(CompanySchema), {
        description: "The companies found, in the order of the request.",
        examples: [FOUND],
      }),
      failed: Type.Array(FailedItem, {
        description: "The numbers that failed, in the order of the request.",
        examples: [[]],
      }),
      tokensUsed: Type.Integer({
        minimum: 0,
        description: "The cost of this call in tokens.",
        examples: [FOUND.length],
      }),
    }),
  },
  cost: ({ body }) => {
    const operation = body.enrich ? "batch.enriched" : "batch";
    return {
      operation,
      price: PRICES[operation] * [...bySent(body.kvkNumbers).keys()].filter(isKvkNumber).length,
    };
  },
  mayBeSlow: ({ body }) => body.enrich === true && body.kvkNumbers.length > MAX_AT_ONCE,
  handler: ({ body }, { lookup }) => {
    const sent = bySent(body.kvkNumbers);
    const numbers = [...sent.keys()];
    return body.enrich
      ? deliver(lookup.enrichedBatch(numbers), (items) =>
          delivered(items, sent, (company) => ({ company, charge: enrichedCharge(company) })),
        )
      : deliver(lookup.basicBatch(numbers), (items) => delivered(items, sent, pricedBasic));
  },
});

/** The numbers of a batch, each once, with the text that was sent first: an EUID means the same as its KVK number. */
function bySent(texts: readonly string[]): ReadonlyMap<string, string> {
  const sent = new Map<string, string>();
  for (const text of texts) {
    const number = kvkNumberOfEuid(text) ?? text;
    if (!sent.has(number)) sent.set(number, text);
  }
  return sent;
}

interface Priced {
  readonly company: BatchBasicCompany | Company;
  readonly charge: number;
}

/** Returns the response, in the order of the request. @param price returns the shown company and its charge */
function delivered<Found>(
  items: readonly BatchItem<Found>[],
  sent: ReadonlyMap<string, string>,
  price: (found: Found) => Priced,
): Delivered {
  const results: Priced["company"][] = [];
  const failed: Failed[] = [];
  let tokensUsed = 0;
  for (const { sent: number, answer } of items) {
    if (answer.kind === "found") {
      const { company, charge } = price(answer.found);
      results.push(company);
      tokensUsed += charge;
    } else {
      failed.push({ kvkNumber: sent.get(number) ?? number, error: companyError(number, answer) });
    }
  }
  return { charge: tokensUsed, body: { results, failed, tokensUsed } };
}

function pricedBasic({ kvkNumber, name, address, isActive }: BasicCompany): Priced {
  const { city, postalCode } = address;
  const short = { ...(postalCode !== undefined && { postalCode }), ...(city !== undefined && { city }) };
  return { company: { kvkNumber, name, address: short, isActive }, charge: PRICES.batch };
}
