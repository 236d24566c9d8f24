import type { MessagePort } from "node:worker_threads";
import type { TierTable } from "../../contract/tiers.ts";
import type { ChargeRequest } from "../../metering/store.ts";
import type { FacetName } from "../facets.ts";
import type { PackedDecisions, PackedRequests } from "./packing.ts";

/** What callers may do, and the clock that says when. */
interface Terms {
  readonly tiers: TierTable;
  /** Calls a minute of the page's own keys. */
  readonly pageRate?: number;
  /** Set by tests: Unix milliseconds in one Float64, in the place of the store's own clock. */
  readonly clock?: SharedArrayBuffer;
}

/** What a thread that owns an embedded state is started with. */
export interface SqliteThreadData extends Terms {
  readonly path: string;
}

/** What a thread that owns the connections to a database is started with. */
export interface PostgresThreadData extends Terms {
  readonly url: string;
}

export type StateThreadData = SqliteThreadData | PostgresThreadData;

/** What the thread is told by the one that started it. */
export type Order = { readonly kind: "connect"; readonly port: MessagePort } | { readonly kind: "close" };

/** What the thread tells the one that started it. */
export type News = { readonly kind: "ready" } | { readonly kind: "refused"; readonly message: string };

// Asks and answers cross the threads as JSON text: for batches of small objects that takes less than half the time of a
// structured clone. Asks cross one by one, answers as a list of those that are given in one go. Charge requests and their
// decisions are packed for that, see packing.ts.

/** Charge requests, to be decided in their order. */
export interface ChargeAsk {
  readonly kind: "charge";
  readonly id: number;
  readonly requests: readonly ChargeRequest[];
  /** Whether some may be decided, and told, before the others. */
  readonly takesEarly: boolean;
}

/** A call of another method of a facet, or of the state itself. */
export interface CallAsk {
  readonly kind: "call";
  readonly id: number;
  readonly facet: FacetName | "state";
  readonly method: string;
  readonly parameters: readonly unknown[];
}

export type Ask = ChargeAsk | CallAsk;

/** An ask as it crosses. */
export type SentAsk = (Omit<ChargeAsk, "requests"> & { readonly requests: PackedRequests }) | CallAsk;

export type Answer =
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "decided"; readonly id: number; readonly decisions: PackedDecisions }
  /** Null where the decision is still to come. */
  | { readonly kind: "early"; readonly id: number; readonly decisions: PackedDecisions }
  | { readonly kind: "unavailable"; readonly id: number; readonly reason: string }
  | { readonly kind: "refused"; readonly id: number; readonly sqlState: string }
  | { readonly kind: "failed"; readonly id: number; readonly message: string; readonly stack?: string };
