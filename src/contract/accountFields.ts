/** Fields that several resources of the account page share. */
import { type Static, Type } from "typebox";
import { count, flag, moment, object, rows, text, word } from "./fields.ts";
import { type LedgerOperation, OPERATIONS } from "./prices.ts";

export const operation = Type.Unsafe<LedgerOperation>({
  type: "string",
  enum: [...OPERATIONS, "other"],
  description:
    "The operation; `other`: a call with a valid key to an unknown endpoint, or tokens used by a deleted account.",
});

/** The state of VIES on the account page; `unknown` while there is no evidence. */
export const viesState = word(
  ["up", "degraded", "down", "unknown"],
  "VIES as a whole. `unknown`: no outage is known, but no VAT number was checked in the last 24 hours.",
);
export type ViesEvidence = Static<typeof viesState>;

export const serviceState = word(["ok", "degraded", "down"], "The service as a whole, as in `/v1/health`.");
export const upstreamState = word(["up", "degraded", "down"], "The state of the source of companies.");

/** The figures of the ledger, and the counts of failed calls. */
export const figures = {
  requests: count("Calls within the rate limit."),
  tokens: count("Tokens spent."),
  refusedByRate: count("Calls refused because they were over the rate limit."),
  refusedByAllowance: count("Calls refused because the allowance did not cover them."),
  sessions: count(
    "Typing sessions started (`session` of autocomplete); each costs one token for all its calls.",
  ),
  sessionCalls: count("Calls within typing sessions, including the first of each."),
  failedByCaller: count(
    "Calls answered with an error of the caller (4xx, except refusals). They cost nothing; the last seconds may be missing.",
  ),
  failedByService: count(
    "Calls answered with an error of the service or a source (5xx). They cost nothing; the last seconds may be missing.",
  ),
};

export const byOperation = (description: string) => rows(description, { operation, ...figures });

/** The plans on offer and their prices. */
export const offerFields = {
  tiers: rows("The plans of this service.", {
    name: text("The plan."),
    monthlyTokens: count("Tokens per calendar month (UTC), for the account."),
    ratePerMinute: count("Calls per minute, for each key."),
  }),
  prices: rows("The price of each operation.", {
    operation,
    tokens: count("Tokens per call; for a batch, per company."),
  }),
};

/** A request for another plan. */
export const planRequest = Type.Optional(
  object("A plan change that the operator has not handled yet.", {
    tier: text("The requested plan."),
    askedAt: moment("When it was requested."),
  }),
);

/** How an account is identified in an operator's views. */
export const accountName = {
  id: text("The account."),
  email: text("Its address."),
  tier: text("Its plan."),
};

/** An account in an operator's views. */
export const shownAccount = {
  ...accountName,
  isSuspended: flag("Whether its calls are refused with FORBIDDEN."),
  suspendedAt: Type.Optional(moment("Since when; absent when it is not, or when that was not recorded.")),
  isAdmin: flag("Whether it has access to these views."),
  createdAt: moment("When it was created."),
  used: count("Tokens spent this month."),
  limit: count("The month's allowance in tokens; 0 when its plan is no longer in the table."),
};

/** The position of a page in a list. */
export const paged = (items: string) => ({
  total: count(`${items} on all pages.`),
  page: count("This page, from 1."),
  pageSize: count(`${items} on a page.`),
});
