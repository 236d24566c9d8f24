import { readFile } from "node:fs/promises";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { ERROR_CODES, ERRORS } from "../contract/errors.ts";
import { PRICE_LIST, PRICES, type PricedThing } from "../contract/prices.ts";
import type { TierTable } from "../contract/tiers.ts";
import { MAX_FOLLOWERS, SESSION_SECONDS } from "../contract/typingSession.ts";
import type { Endpoint } from "./endpoint.ts";

export interface ApiFacts {
  /** The public address of the service. */
  readonly url?: string | undefined;
  readonly version: string;
  readonly tiers: TierTable;
}

/** The document that the build writes next to the built program. The sources have none and describe the endpoints when they are asked. */
const BUILT = new URL("./api.built.json", import.meta.url);

const Description = Type.Object({ info: Type.Object({}) });

/** Returns the OpenAPI 3.1 document of the endpoints. The build describes them, because that takes a tenth of a start. */
export async function apiDocument(
  endpoints: readonly Endpoint[],
  { url, version, tiers }: ApiFacts,
): Promise<object> {
  const document =
    (await readBuilt()) ?? (await (await import("../../build/describeApi.ts")).describeApi(endpoints));
  const described = Value.Parse(Description, document);
  return {
    ...described,
    info: { ...described.info, version, description: introduction(tiers) },
    servers: [{ url: url ?? "/" }],
  };
}

async function readBuilt(): Promise<unknown> {
  try {
    return JSON.parse(await readFile(BUILT, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the introduction, with prices and tiers from the tables that apply to calls. */
function introduction(tiers: TierTable): string {
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
