import type { MessagePort } from "node:worker_threads";
import type { TierTable } from "../../contract/tiers.ts";
import type { ChargeRequest, Decision } from "../../metering/store.ts";
import type { FacetName } from "../facets.ts";

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
// structured clone. Asks cross one by one, answers as a list of those that are given in one go.

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

export type Answer =
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "decided"; readonly id: number; readonly decisions: readonly PackedDecision[] }
  /** Null where the decision is still to come. */
  | { readonly kind: "early"; readonly id: number; readonly decisions: readonly (PackedDecision | null)[] }
  | { readonly kind: "unavailable"; readonly id: number; readonly reason: string }
  | { readonly kind: "failed"; readonly id: number; readonly message: string; readonly stack?: string };

/** A decision without the names of its fields, which are longer than what they hold. */
export type PackedDecision = ReturnType<typeof packDecision>;

export function packDecision(decision: Decision) {
  if (!("balance" in decision)) return [decision.outcome] as const;
  if (decision.outcome === "repeated" || decision.outcome === "conflict" || decision.outcome === "full") {
    return ["whole", decision] as const;
  }
  const { balance } = decision;
  return [
    decision.outcome,
    decision.outcome === "granted" ? decision.charged : 0,
    balance.accountId,
    balance.tierName,
    balance.rateLimit,
    balance.rateRemaining,
    balance.rateResetSeconds,
    balance.tokensLimit,
    balance.tokensUsed,
    balance.tokensRemaining,
    balance.tokensResetSeconds,
    balance.month,
    balance.nowMs,
    balance.tookBackMs ?? 0,
    balance.keyDay ?? 0,
  ] as const;
}

export function unpackDecision(packed: PackedDecision): Decision {
  if (packed.length === 1) return { outcome: packed[0] };
  if (packed.length === 2) return packed[1];
  const balance = {
    accountId: packed[2],
    tierName: packed[3],
    rateLimit: packed[4],
    rateRemaining: packed[5],
    rateResetSeconds: packed[6],
    tokensLimit: packed[7],
    tokensUsed: packed[8],
    tokensRemaining: packed[9],
    tokensResetSeconds: packed[10],
    month: packed[11],
    nowMs: packed[12],
    ...(packed[13] > 0 && { tookBackMs: packed[13] }),
    ...(packed[14] !== 0 && { keyDay: packed[14] }),
  };
  return packed[0] === "granted"
    ? { outcome: packed[0], charged: packed[1], balance }
    : { outcome: packed[0], balance };
}
