import type { TierTable } from "../../../contract/tiers.ts";
import type { SqlRequest } from "../../../database/sqlite/driver.ts";
import type { ChargeRequest } from "../../../metering/store.ts";

export interface StateThreadData {
  readonly path: string;
  readonly tiers: TierTable;
  /** Calls per minute of the page's own keys. */
  readonly pageRate?: number;
  /** For tests: Unix milliseconds in one Float64, instead of the system's clock. */
  readonly clock?: SharedArrayBuffer;
}

/** A call of a method of `EmbeddedState`. */
export type StateRequest =
  | { readonly kind: "apply"; readonly requests: readonly ChargeRequest[] }
  | { readonly kind: "findKeys"; readonly hashes: readonly string[] }
  | { readonly kind: "sql"; readonly request: SqlRequest }
  | { readonly kind: "probe" }
  | { readonly kind: "close" };

export interface ToThread {
  readonly id: number;
  readonly request: StateRequest;
}

export type FromThread =
  | { readonly kind: "ready" }
  /** The state cannot be opened; the message contains the remedy. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "unavailable"; readonly id: number; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly message: string;
      readonly stack: string | undefined;
    };

/** The clock of tests, or the system's. */
export function clockOf(shared: SharedArrayBuffer | undefined): () => number {
  if (shared === undefined) return Date.now;
  const cell = new Float64Array(shared);
  return () => cell[0] ?? 0;
}
