import { PRICES } from "../src/contract/prices.ts";
import type { Endpoint } from "../src/http/endpoint.ts";

/** The price of an operation in the API document, `x-price`. */
export interface DocumentedPrice {
  /** The price in tokens of a plain call: of one item if several can be sent, and without enrichment. */
  readonly tokens: number;
  /** How the price of a call follows, if it is not always `tokens`. */
  readonly rule?: string;
}

export function priceOf(endpoint: Endpoint): DocumentedPrice {
  if (endpoint.auth === "none") return { tokens: 0 };
  const { operation, tokens: rule } = endpoint;
  return { tokens: PRICES[operation], ...(rule !== undefined && { rule }) };
}
