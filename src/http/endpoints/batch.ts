import { Type } from "typebox";
import type { ByNeed } from "../../company/views.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { isKvkNumber, type KvkNumber, lostZeroHint } from "../../contract/numbers.ts";
import { PRICES } from "../../contract/prices.ts";
import { quoted } from "../../contract/quoting.ts";
import {
  type BasicCompany,
  type BatchBasicCompany,
  type Company,
  CompanySchema,
  refTo,
} from "../../contract/resources.ts";
import type { Answer } from "../../lookup/companies.ts";
import type { Verdict } from "../../vat/verdicts/verdict.ts";
import { enrichedCharge, type RegisteredCompany, vatNumberOf, withVerdict } from "../companyVat.ts";
import { type Delivered, type Delivery, keyed, type Services } from "../endpoint.ts";
import { finished } from "../outside.ts";
import { noAnswer, notFound } from "./shared.ts";

const MOST_NUMBERS = 100;
/** So many enriched companies are read and written within 2 ms; a hundred took 6 ms on a busy machine. */
const MOST_AT_ONCE = 20;

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
        examples: [["51234567", "09876543"]],
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
  mayBeSlow: ({ body }) => body.enrich === true && body.kvkNumbers.length > MOST_AT_ONCE,
  handler: ({ body }, services) =>
    body.enrich
      ? lookUp("enriched", body.kvkNumbers, services, (found) => enriched(found.map(registered), services))
      : lookUp("basic", body.kvkNumbers, services, (found) => delivered(found.map(basic))),
});

/** One number of a batch with what is told of it. */
type Told<Found> = Failed | { readonly kvkNumber: KvkNumber; readonly answer: Answer<Found> };
type BatchNeed = "basic" | "enriched";

/**
 * Looks all of a batch up, each number once: in memory, then in the store, then outside, there side by side. `make` turns what
 * is told, in the order of the request, into a delivery.
 */
function lookUp<N extends BatchNeed>(
  need: N,
  sent: readonly string[],
  services: Services,
  make: (told: readonly Told<ByNeed[N]>[]) => Delivery | Promise<Delivery>,
): Delivery | Promise<Delivery> {
  if (!services.companies.hasSource) throw noAnswer({ kind: "no-registry" });
  const numbers = [...new Set(sent)];
  const answers = new Map<string, Answer<ByNeed[N]>>();
  const missing: KvkNumber[] = [];
  for (const kvkNumber of numbers) {
    if (!isKvkNumber(kvkNumber)) continue;
    const answer = services.companies.atOnce(need, kvkNumber);
    if (answer === undefined) missing.push(kvkNumber);
    else answers.set(kvkNumber, answer);
  }
  const told = () =>
    numbers.map((kvkNumber): Told<ByNeed[N]> => {
      if (!isKvkNumber(kvkNumber)) return invalid(kvkNumber);
      return { kvkNumber, answer: answers.get(kvkNumber) ?? { kind: "absent" } };
    });
  return missing.length === 0 ? make(told()) : ask();

  async function ask(): Promise<Delivery> {
    const { companies, liveWaits } = services;
    const stored = await companies.fromStore(need, missing);
    const outside = missing.filter((kvkNumber, index) => {
      const answer = stored[index];
      if (answer !== undefined) answers.set(kvkNumber, answer);
      return answer === undefined;
    });
    if (outside.length === 0) return make(told());
    return {
      outside: async (accountId) => {
        const asking = { accountId, deadlineMs: liveWaits.batchMs };
        await Promise.all(
          outside.map(async (kvkNumber) => {
            answers.set(kvkNumber, await companies.fromLive(need, kvkNumber, asking));
          }),
        );
        return finished(await make(told()), accountId);
      },
    };
  }
}

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

function registered(told: Told<RegisteredCompany>): Found {
  if ("error" in told) return told;
  const { answer, kvkNumber } = told;
  return answer.kind === "found" ? { enriching: answer.found } : failed(kvkNumber, answer);
}

function basic(told: Told<BasicCompany>): Found {
  if ("error" in told) return told;
  const { answer, kvkNumber } = told;
  return answer.kind === "found"
    ? { company: short(answer.found), charge: PRICES.batch }
    : failed(kvkNumber, answer);
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

function failed(kvkNumber: KvkNumber, answer: Exclude<Answer<never>, { kind: "found" }>): Failed {
  const { code, message } = answer.kind === "absent" ? notFound(kvkNumber) : noAnswer(answer);
  return { kvkNumber, error: { code, message } };
}

function invalid(text: string): Failed {
  return {
    kvkNumber: text,
    error: {
      code: "INVALID_KVK_NUMBER",
      message: `kvkNumber must be exactly 8 digits; received ${quoted(text)}${lostZeroHint(text)}`,
    },
  };
}
