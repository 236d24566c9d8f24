import { Type } from "typebox";
import type { ErrorCode } from "../../contract/errors.ts";
import { isKvkNumber, type KvkNumber } from "../../contract/numbers.ts";
import { PRICES } from "../../contract/prices.ts";
import { quoted } from "../../contract/quoting.ts";
import {
  type BasicCompany,
  type BatchBasicCompany,
  type Company,
  CompanySchema,
  refTo,
} from "../../contract/resources.ts";
import type { Snapshot } from "../../registry/snapshot/types.ts";
import { keyed } from "../endpoint.ts";
import { enrichedCharge } from "./lookup.ts";
import { currentSnapshot, notFound } from "./shared.ts";

const MOST_NUMBERS = 100;

const FailedItem = Type.Object({
  kvkNumber: Type.String({ description: "The number as it was sent.", examples: ["123"] }),
  error: Type.Object(
    {
      code: Type.String({ description: "One of the error codes.", examples: ["INVALID_KVK_NUMBER"] }),
      message: Type.String({
        description: "What is wrong with this number.",
        examples: ['kvkNumber must be exactly 8 digits; received "123"'],
      }),
    },
    { description: "Why it failed." },
  ),
});

interface Failed {
  readonly kvkNumber: string;
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** Up to 100 companies in one call. */
export const batch = keyed({
  method: "POST",
  path: "/v1/lookup/batch",
  operation: "batch",
  tag: "Companies",
  summary: "Look up many companies at once",
  description: `Up to ${MOST_NUMBERS} companies in one call of the rate window; ${PRICES.batch} token for each one delivered, ${PRICES["batch.enriched"]} enriched. A basic result carries kvkNumber, name, isActive and of the address city and postalCode. A number sent twice is answered and charged once; one bad number never fails the batch.`,
  schema: {
    body: Type.Object({
      kvkNumbers: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: MOST_NUMBERS,
        description: "KVK numbers, eight digits each.",
        examples: [["50000012", "50000020"]],
      }),
      enrich: Type.Optional(
        Type.Boolean({ description: "Give all that is known of each company.", examples: [false] }),
      ),
    }),
    response: Type.Object({
      results: Type.Array(refTo<Company>(CompanySchema), {
        description: "The companies found, in the order of the request.",
      }),
      failed: Type.Array(FailedItem, {
        description: "The numbers that failed, in the order of the request.",
      }),
      tokensUsed: Type.Integer({ minimum: 0, description: "What this call cost.", examples: [2] }),
    }),
  },
  cost: ({ body }) => {
    const operation = body.enrich ? "batch.enriched" : "batch";
    return { operation, price: PRICES[operation] * new Set(body.kvkNumbers.filter(isKvkNumber)).size };
  },
  handler: ({ body }, services) => {
    const snapshot = currentSnapshot(services);
    const results: (BatchBasicCompany | Company)[] = [];
    const failed: Failed[] = [];
    let tokensUsed = 0;
    for (const kvkNumber of new Set(body.kvkNumbers)) {
      const found = isKvkNumber(kvkNumber)
        ? find(snapshot, kvkNumber, body.enrich ?? false)
        : invalid(kvkNumber);
      if ("error" in found) {
        failed.push({ kvkNumber, error: found.error });
      } else {
        results.push(found.company);
        tokensUsed += found.charge;
      }
    }
    return { charge: tokensUsed, body: { results, failed, tokensUsed } };
  },
});

type Found =
  | { readonly company: BatchBasicCompany | Company; readonly charge: number }
  | { readonly error: Failed["error"] };

function find(snapshot: Snapshot, kvkNumber: KvkNumber, enrich: boolean): Found {
  if (enrich) {
    const found = snapshot.enriched(kvkNumber);
    return found === undefined
      ? unknown(kvkNumber)
      : { company: found.company, charge: enrichedCharge(found.company) };
  }
  const company = snapshot.basic(kvkNumber);
  return company === undefined ? unknown(kvkNumber) : { company: short(company), charge: PRICES.batch };
}

function short({ kvkNumber, name, address, isActive }: BasicCompany): BatchBasicCompany {
  const { city, postalCode } = address;
  return {
    kvkNumber,
    name,
    address: { ...(postalCode === undefined ? {} : { postalCode }), ...(city === undefined ? {} : { city }) },
    isActive,
  };
}

function unknown(kvkNumber: KvkNumber): Found {
  const { code, message } = notFound(kvkNumber);
  return { error: { code, message } };
}

function invalid(text: string): Found {
  return {
    error: {
      code: "INVALID_KVK_NUMBER",
      message: `kvkNumber must be exactly 8 digits; received ${quoted(text)}`,
    },
  };
}
