import { type TObject, Type } from "typebox";
import { PRICES } from "../contract/prices.ts";
import type { Endpoint } from "./endpoint.ts";

const IDEMPOTENCY_KEY = idempotencyKey(
  "The same call with the same key within 24 hours is told the same answer for 0 tokens.",
  "9b2c6f0e-4a1d-4c1e-8f57-0d6a3e2b7c11",
);

const IDEMPOTENCY_KEY_OF_LIST = idempotencyKey(
  "The same list with the same key is the one that was taken, as it is by now, and is charged once.",
  "4f0f6a6c-93a8-4a5e-9c43-2f6d1f0a7b58",
);

const IF_NONE_MATCH = Type.Optional(
  Type.String({
    description:
      "The `ETag` of an earlier response, several separated by commas, or `*`: 304 without a body, for 0 tokens, if the response would be the same (with `*`: if it would be 200). A search that finds nothing, and a call for which a live source or VIES had to be asked, is sent and charged.",
    examples: ['"RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o"'],
  }),
);

/**
 * The headers that an endpoint's calls may have besides their key, for the API document alone. They are read by `idempotency.ts` and
 * `conditional.ts`, and no schema refuses it.
 */
export function headerParameters(endpoint: Endpoint): TObject | undefined {
  if (endpoint.auth === "none") return undefined;
  if (endpoint.uploads !== undefined) return Type.Object({ "Idempotency-Key": IDEMPOTENCY_KEY_OF_LIST });
  if (PRICES[endpoint.operation] === 0) return undefined;
  return Type.Object({
    "Idempotency-Key": IDEMPOTENCY_KEY,
    ...(endpoint.isConditional && { "If-None-Match": IF_NONE_MATCH }),
  });
}

function idempotencyKey(meaning: string, example: string) {
  return Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: `${meaning} Visible ASCII characters, with or without quotes around them; a random UUID is a good one.`,
      examples: [example],
    }),
  );
}
