/** Fields that the resources of the account page share. */
import { type Static, Type } from "typebox";
import { type LedgerOperation, OPERATIONS } from "./prices.ts";

export const closed = { additionalProperties: false } as const;

export const moment = (description: string) =>
  Type.String({ description: `${description} ISO 8601 UTC.`, examples: ["2026-11-21T12:00:00.000Z"] });

export const day = (description: string) =>
  Type.String({
    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
    description: `${description} YYYY-MM-DD, UTC.`,
    examples: ["2026-11-21"],
  });

export const count = (description: string, example = 12) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const flag = (description: string) => Type.Boolean({ description, examples: [true] });

export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

/** One of some words. */
export function word<const T extends string>(words: readonly [T, ...T[]], description: string) {
  return Type.Unsafe<T>({ type: "string", enum: [...words], description, examples: [words[0]] });
}

export const operation = Type.Unsafe<LedgerOperation>({
  type: "string",
  enum: [...OPERATIONS, "other"],
  description:
    "What was called; `other`: a call with a good key to no endpoint, or used by a deleted account.",
  examples: ["lookup"],
});

/** How VIES is, for the page: `unknown` as long as nothing is known of it. */
export const viesState = word(
  ["up", "degraded", "down", "unknown"],
  "VIES as a whole. `unknown`: no outage is known, but no VAT number was checked in the last 24 hours.",
);
export type ViesSeen = Static<typeof viesState>;

/** The figures of the ledger, and of what failed beside it. */
export const figures = {
  requests: count("Calls that the rate limit let in."),
  tokens: count("Tokens spent."),
  refusedByRate: count("Calls refused because they were over the rate limit.", 0),
  refusedByAllowance: count("Calls refused because the allowance did not cover them.", 0),
  sessions: count(
    "Sessions of typing that were begun (`session` of autocomplete): one token each, whatever calls followed.",
    0,
  ),
  sessionCalls: count("Calls that were delivered in a session of typing, those that began it among them.", 0),
  failedByCaller: count(
    "Calls answered with an error that is the caller's (4xx, but for refused ones). They cost nothing; the last seconds may be missing.",
    0,
  ),
  failedByService: count(
    "Calls answered with an error that is the service's or a source's (5xx). They cost nothing; the last seconds may be missing.",
    0,
  ),
};

/** What there is to have, and what it costs. */
export const offerFields = {
  tiers: Type.Array(
    Type.Object(
      {
        name: text("The plan.", "starter"),
        monthlyTokens: count("Tokens a calendar month (UTC), for the account.", 1000),
        ratePerMinute: count("Calls a minute, for each key.", 60),
      },
      closed,
    ),
    { description: "The plans of this service." },
  ),
  prices: Type.Array(
    Type.Object({ operation, tokens: count("Tokens a call; a batch: for each company.", 1) }, closed),
    { description: "What each operation costs." },
  ),
};

/** An account in an operator's views. */
export const shownAccount = {
  id: text("The account.", "acc_0123456789abcdef"),
  email: text("Its address.", "dev@company.example"),
  tier: text("Its plan.", "free"),
};

/** Where a page of a list stands in it. */
export const paged = (what: string) => ({
  total: count(`${what} on all pages.`),
  page: count("This page, from 1.", 1),
  pageSize: count(`${what} on a page.`, 25),
});
