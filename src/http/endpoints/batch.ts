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
import type { Verdict } from "../../vat/verdicts/verdict.ts";
import { enrichedCharge, type RegisteredCompany, vatNumberOf, withVerdict } from "../companyVat.ts";
import { type Delivered, type Delivery, keyed, type Services } from "../endpoint.ts";
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
    const find = body.enrich ? registered : basic;
    const found = [...new Set(body.kvkNumbers)].map(
      (kvkNumber): Found =>
        isKvkNumber(kvkNumber) ? (find(snapshot, kvkNumber) ?? unknown(kvkNumber)) : invalid(kvkNumber),
    );
    return body.enrich ? enriched(found, services) : delivered(found);
  },
});

type Found =
  | { readonly company: BatchBasicCompany | Company; readonly charge: number }
  | { readonly enriching: RegisteredCompany }
  | Failed;

/** An enriched batch: verdicts that are held first; the others are asked of VIES side by side, which leaves the process. */
async function enriched(found: readonly Found[], { verdicts }: Services): Promise<Delivery> {
  const companies = found.flatMap((item) => ("enriching" in item ? [item.enriching] : []));
  const asked = companies.flatMap((company) => vatNumberOf(company) ?? []);
  const held = await verdicts.fromStore(asked.map(({ number }) => number));
  const known = new Map<string, Verdict>();
  for (const [index, { number }] of asked.entries()) {
    const verdict = held[index];
    if (verdict !== undefined) known.set(number.vatNumber, verdict);
  }
  const missing = asked.filter(({ number }) => !known.has(number.vatNumber)).map(({ number }) => number);
  if (missing.length === 0) return delivered(withVerdicts(found, known));
  return {
    outside: async () => {
      const told = await verdicts.ofBatchFromVies(missing);
      for (const [index, { vatNumber }] of missing.entries()) {
        const verdict = told[index];
        if (verdict !== undefined) known.set(vatNumber, verdict);
      }
      return delivered(withVerdicts(found, known));
    },
  };
}

function withVerdicts(found: readonly Found[], known: ReadonlyMap<string, Verdict>): Found[] {
  return found.map((item) => {
    if (!("enriching" in item)) return item;
    const asked = vatNumberOf(item.enriching);
    const verdict = asked && known.get(asked.number.vatNumber);
    const company = verdict ? withVerdict(item.enriching.company, asked, verdict) : item.enriching.company;
    return { company, charge: enrichedCharge(company) };
  });
}

function delivered(found: readonly Found[]): Delivered {
  const results: (BatchBasicCompany | Company)[] = [];
  const failed: Failed[] = [];
  let tokensUsed = 0;
  for (const item of found) {
    if ("error" in item) {
      failed.push(item);
    } else if ("company" in item) {
      results.push(item.company);
      tokensUsed += item.charge;
    }
  }
  return { charge: tokensUsed, body: { results, failed, tokensUsed } };
}

function registered(snapshot: Snapshot, kvkNumber: KvkNumber): Found | undefined {
  const enriching = snapshot.enriched(kvkNumber);
  return enriching === undefined ? undefined : { enriching };
}

function basic(snapshot: Snapshot, kvkNumber: KvkNumber): Found | undefined {
  const company = snapshot.basic(kvkNumber);
  return company === undefined ? undefined : { company: short(company), charge: PRICES.batch };
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

function unknown(kvkNumber: KvkNumber): Failed {
  const { code, message } = notFound(kvkNumber);
  return { kvkNumber, error: { code, message } };
}

function invalid(text: string): Failed {
  return {
    kvkNumber: text,
    error: {
      code: "INVALID_KVK_NUMBER",
      message: `kvkNumber must be exactly 8 digits; received ${quoted(text)}`,
    },
  };
}
