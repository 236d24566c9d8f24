import type { JsonObject } from "../../lib/values.ts";
import type { Cause } from "../liveSource.ts";

/** KVK's products, each of which can fail by itself. */
export const PRODUCTS = ["zoeken", "basisprofiel", "vestigingen", "vestigingsprofiel"] as const;
export type Product = (typeof PRODUCTS)[number];

/** Zoeken comes with the subscription; each profile and each list of branches is paid for (prices of 2025). */
export function isPaid(product: Product): boolean {
  return product !== "zoeken";
}

/**
 * Whose trouble an absent answer is: of the operator's `key` at KVK, of the whole of `kvk`, of one `product`, or of nobody
 * but this one call.
 */
export type Scope = "key" | "kvk" | "product" | "call";

/** KVK answered, in its wire format. */
export interface Body {
  readonly kind: "body";
  readonly json: JsonObject;
  /** ISO 8601 UTC */
  readonly receivedAt: string;
}

/** KVK knows nothing under this number, or finds nothing. */
export interface Unknown {
  readonly kind: "not-found";
  readonly reason: string;
  readonly receivedAt: string;
}

export interface NoAnswer {
  readonly kind: "no-answer";
  /** KVK's code, or one of ours. Never holds a part of the question. */
  readonly reason: string;
  readonly cause: Cause;
  readonly scope: Scope;
  /** KVK itself said so. */
  readonly isFromKvk: boolean;
  /** Asking again at once can help. */
  readonly isTransient: boolean;
  readonly retryAfterSeconds?: number;
}

export type KvkResult = Body | Unknown | NoAnswer;
