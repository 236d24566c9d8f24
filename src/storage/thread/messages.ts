import type { TierTable } from "../../contract/tiers.ts";
import type { FacetName } from "../facets.ts";

/** The data that the writer thread is started with. */
export interface StateThreadData {
  readonly path: string;
  readonly tiers: TierTable;
  /** Calls a minute of the page's own keys. */
  readonly pageRate?: number;
  /** Set by tests: Unix milliseconds in one Float64, instead of the system's clock. */
  readonly clock?: SharedArrayBuffer;
}

/** A call of one method of the state. */
export interface StateRequest {
  readonly kind: "call";
  readonly id: number;
  readonly facet: FacetName | "state";
  readonly method: string;
  readonly parameters: readonly unknown[];
}

export type ToThread = StateRequest | { readonly kind: "close" };

export type FromThread =
  | { readonly kind: "ready" }
  /** The state cannot be opened; the message says what to do. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "unavailable"; readonly id: number; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly message: string;
      readonly stack: string | undefined;
    };
