import type { JsonObject } from "../../lib/values.ts";
import type { Found, NoLiveAnswer, NotFound } from "../liveSource.ts";

/**
 * KVK's products, each of which can fail on its own. `abonnementen` is the Mutatieservice: signals about changed
 * companies.
 */
export const PRODUCTS = [
  "zoeken",
  "basisprofiel",
  "vestigingen",
  "vestigingsprofiel",
  "abonnementen",
] as const;
export type Product = (typeof PRODUCTS)[number];

/** Each profile and each list of branches is paid for (prices of 2025); the others are part of a subscription. */
export function isPaid(product: Product): boolean {
  return product !== "zoeken" && product !== "abonnementen";
}

/** The failing part: the operator's `key` at KVK, all of `kvk`, one `product`, or only this one call. */
export type KvkScope = "key" | "kvk" | "product" | "call";

/** A call without an answer, and how to treat further calls. */
export interface KvkNoAnswer extends NoLiveAnswer {
  readonly scope: KvkScope;
  /** Whether it is a response of KVK itself. */
  readonly isFromUpstream: boolean;
  /** An immediate retry can help. */
  readonly isTransient: boolean;
  readonly retryAfterSeconds?: number;
}

/** The result of one call; a body is in KVK's wire format. */
export type KvkResult = Found<JsonObject> | NotFound | KvkNoAnswer;
