import { ERROR_CODES, ERRORS } from "./errors.ts";
import { PRICE_LIST, PRICES, type PricedThing } from "./prices.ts";
import type { TierTable } from "./tiers.ts";
import { MAX_FOLLOWERS, SESSION_SECONDS } from "./typingSession.ts";

/** Returns the introduction of the API document, with prices and tiers from the tables that apply to calls. */
export function introduction(tiers: TierTable): string {
  return [
    "The Dutch company registry over HTTP. Every path starts with `/v1`; every call but health needs an API key and costs tokens from a monthly allowance. Errors, unknown KVK numbers and outages are free. An answer is charged even if it is empty: a search, suggestion or match without result, and the verdict on a VAT number that is not valid or cannot exist.",
    "## Prices",
    Object.entries(PRICE_LIST)
      .map(([operation, what]) => `- ${what}: ${PRICES[operation as PricedThing]}`)
      .join("\n"),
    `Tokens per call. A batch costs its price for each company delivered. Autocomplete with one \`session\` costs its price once for up to ${MAX_FOLLOWERS + 1} calls within ${SESSION_SECONDS / 60} minutes.`,
    "## Tiers",
    Object.entries(tiers)
      .map(([name, { monthlyTokens, ratePerMinute }]) => {
        return `- ${name}: ${monthlyTokens.toLocaleString("en")} tokens per month, ${ratePerMinute.toLocaleString("en")} calls per minute`;
      })
      .join("\n"),
    "The allowance belongs to the account and is renewed on the 1st of the month at 00:00 UTC. The rate limit applies to each key per clock minute.",
    "## Repeating a call",
    "With `Idempotency-Key` (1 to 255 visible ASCII characters, with or without quotes; for example a UUID) a call with a price can be repeated safely, for example after a lost response. For 24 hours the same API key, `Idempotency-Key`, method, path, query and body get the stored response for 0 tokens, even when none are left, with `Idempotency-Replayed: true`. A different call with the same key is `CONFLICT`; so is the same call while the first is in progress, with `Retry-After`. Errors cost nothing and are not stored.",
    "Lookup, branches and search have an `ETag`. The same call with the same key and `If-None-Match` set to that tag gets 304 without a body for 0 tokens, even when none are left; `*` is ignored. A response that needs a live source or VIES is sent and charged. Both count towards the rate limit.",
    "## Errors",
    'Errors always have the form `{"error": {"code", "message"}}`.',
    ERROR_CODES.map((code) => `- \`${code}\` (${ERRORS[code].status}): ${ERRORS[code].when}`).join("\n"),
  ].join("\n\n");
}
