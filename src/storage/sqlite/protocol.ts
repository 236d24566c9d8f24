import type { TierTable } from "../../contract/tiers.ts";
import type { StateStore } from "../stateStore.ts";

/** What the writer thread is started with. `clock` is set by tests: Unix milliseconds in one Float64. */
export interface WriterData {
  readonly path: string;
  readonly tiers: TierTable;
  readonly clock?: SharedArrayBuffer;
}

// Requests and responses cross the threads as JSON text: for batches of small objects that takes less than half the
// time of a structured clone.

export type Method = keyof StateStore;

export interface Request {
  readonly id: number;
  readonly method: Method;
  readonly parameters: readonly unknown[];
}

export type Response =
  | { readonly kind: "ready" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "unavailable"; readonly id: number; readonly reason: string }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
