import type { TierTable } from "../../contract/tiers.ts";
import type { Decision } from "../../metering/store.ts";
import type { FacetName } from "../facets.ts";

/** What the writer thread is started with. `clock` is set by tests: Unix milliseconds in one Float64. */
export interface WriterData {
  readonly path: string;
  readonly tiers: TierTable;
  /** Calls a minute of the page's own keys. */
  readonly pageRate?: number;
  readonly clock?: SharedArrayBuffer;
}

// Requests and responses cross the threads as JSON text: for batches of small objects that takes less than half the
// time of a structured clone.

/** A call of a method of a facet, or of the state itself. */
export interface Request {
  readonly id: number;
  readonly facet: FacetName | "state";
  readonly method: string;
  readonly parameters: readonly unknown[];
}

export type Response =
  | { readonly kind: "ready" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown }
  | { readonly kind: "decided"; readonly id: number; readonly decisions: readonly PackedDecision[] }
  | { readonly kind: "unavailable"; readonly id: number; readonly reason: string }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

/** A decision without the names of its fields, which are longer than what they hold. */
export type PackedDecision = ReturnType<typeof packDecision>;

export function packDecision(decision: Decision) {
  if (!("balance" in decision)) return [decision.outcome] as const;
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
  ] as const;
}

export function unpackDecision(packed: PackedDecision): Decision {
  if (packed.length === 1) return { outcome: packed[0] };
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
  };
  return packed[0] === "granted"
    ? { outcome: packed[0], charged: packed[1], balance }
    : { outcome: packed[0], balance };
}
