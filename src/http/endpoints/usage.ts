import { Type } from "typebox";
import { count, text } from "../../contract/fields.ts";
import { OPERATIONS, PRICES } from "../../contract/prices.ts";
import { sumsByDay } from "../../metering/ledgerReads.ts";
import type { Balance } from "../../metering/store.ts";
import { monthNamed, usageByOperation } from "../../metering/usage.ts";
import { free, type Services } from "../endpoint.ts";
import { onlyWhen } from "./shared.ts";

/** The usage of the key's account this month. */
export const usage = free({
  method: "GET",
  path: "/v1/usage",
  operation: "usage",
  tag: "Account",
  summary: "Show this month's usage",
  description: `The tier, the month's tokens, this key's rate window and the usage of each operation (free). Prices in tokens: ${OPERATIONS.map((operation) => `${operation} ${PRICES[operation]}`).join(", ")}.`,
  tool: {
    name: "show_usage",
    title: "Show tokens and limits",
    description:
      "The plan of the account, the tokens left this month, the calls left this minute and the usage of each operation. Free; counts towards the rate limit.",
    isOpenWorld: false,
  },
  schema: {
    response: Type.Object({
      isTest: onlyWhen(
        true,
        "True for a test key, otherwise absent. Tokens and operations are then those of the account's test keys, which do not use its allowance.",
      ),
      tier: text("The account's plan.", "starter"),
      period: Type.Object(
        {
          start: text("Inclusive, ISO 8601 UTC.", "2026-11-01T00:00:00.000Z"),
          end: text("Exclusive, ISO 8601 UTC.", "2026-12-01T00:00:00.000Z"),
        },
        { description: "The month that the tokens are counted in." },
      ),
      tokens: Type.Object(
        {
          limit: count("The month's allowance.", 1000),
          used: count("Spent so far.", 12),
          remaining: count("Left to spend.", 988),
        },
        { description: "The account's tokens, which all its keys share." },
      ),
      rateLimit: Type.Object(
        {
          limit: count("Calls per minute.", 60),
          remaining: count("Calls left in this minute.", 59),
          reset: count("When the minute ends, Unix seconds.", 1795219260),
        },
        { description: "The rate window of this key." },
      ),
      operations: Type.Array(
        Type.Object({
          operation: text("The operation.", "autocomplete"),
          requests: count("Calls within the rate limit, this one included.", 12),
          tokens: count("Tokens spent.", 12),
          refusals: count("Calls over the rate limit or the allowance.", 0),
          sessions: Type.Optional(count("For autocomplete: typing sessions that began, one token each.", 0)),
          sessionCalls: Type.Optional(
            count("For autocomplete: calls delivered in a session, including the first.", 0),
          ),
        }),
        { description: "This month by operation, for all keys of the account." },
      ),
    }),
  },
  handler: async (_input, services, { balance }) => ({ body: await usageOf(balance, services) }),
});

async function usageOf(balance: Balance, { ledger, isTest }: Services): Promise<object> {
  const { start, end, firstDay, lastDay } = monthNamed(balance.month);
  const days = await sumsByDay(ledger, balance.accountId, firstDay, lastDay);
  return {
    ...(isTest && { isTest }),
    tier: balance.tierName,
    period: { start, end },
    tokens: { limit: balance.tokensLimit, used: balance.tokensUsed, remaining: balance.tokensRemaining },
    rateLimit: {
      limit: balance.rateLimit,
      remaining: balance.rateRemaining,
      reset: balance.rateResetSeconds,
    },
    operations: usageByOperation(days).map(({ sessions, sessionCalls, ...use }) =>
      use.operation === "autocomplete" ? { ...use, sessions, sessionCalls } : use,
    ),
  };
}
