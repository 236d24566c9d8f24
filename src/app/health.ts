import type { Health } from "../http/endpoint.ts";
import type { Readiness } from "../http/probes.ts";
import type { LiveHealth } from "../kvk/liveSource.ts";
import type { ViesState } from "../vat/vies/health.ts";
import type { StateProbe } from "./stateProbe.ts";

const NOT_FINDABLE = "names cannot be searched yet: their index is being built";

interface HealthParts {
  readonly companies: {
    readonly hasSnapshot: boolean;
    /** Whether names are found in the snapshot. */
    readonly isFindable: boolean;
    readonly liveHealth: LiveHealth | undefined;
  };
  readonly state: StateProbe;
  readonly askVies: () => Promise<ViesState>;
  /** Whether the registry may be out of date, because what is published cannot be fetched. */
  readonly isBehind?: () => boolean;
}

/**
 * Tells whether the service can serve: the state must take a write, and there must be a snapshot or a live source. While names cannot be found, without VIES, without the publisher that the registry follows, without the
 * live source or with its budget spent, the service is degraded: it goes on with what is held.
 */
export function healthCheck({
  companies,
  state,
  askVies,
  isBehind = () => false,
}: HealthParts): () => Promise<Health> {
  return async () => {
    const kvk = registryHealth(companies, isBehind());
    const canServe = companies.hasSnapshot || companies.liveHealth !== undefined;
    const [canWrite, vies] = await Promise.all([state.isWritable(), askVies()]);
    return {
      status: !canWrite || !canServe ? "down" : vies === "down" || kvk !== "up" ? "degraded" : "ok",
      services: { kvk, vies },
      ...(!companies.isFindable && { reason: NOT_FINDABLE }),
      timestamp: new Date().toISOString(),
    };
  };
}

/** With a snapshot nothing that happens to the live source is more than a part of the registry. */
function registryHealth(
  { hasSnapshot, isFindable, liveHealth }: HealthParts["companies"],
  isBehind: boolean,
): LiveHealth {
  if (!hasSnapshot) return liveHealth ?? "down";
  return isBehind || !isFindable || (liveHealth !== undefined && liveHealth !== "up") ? "degraded" : "up";
}

interface ReadinessParts {
  readonly state: StateProbe;
  /** Whether companies can be told at all: from a snapshot or a live source. */
  readonly hasSource: () => boolean;
  readonly isDraining: () => boolean;
}

/** Tells whether calls should be sent here, and why not. */
export function readinessCheck({ state, hasSource, isDraining }: ReadinessParts): () => Promise<Readiness> {
  return async () => {
    const isWritable = await state.isWritable();
    if (isDraining()) return { isReady: false, reason: "draining: this process is about to end" };
    if (!isWritable) return { isReady: false, reason: "the state cannot be used" };
    if (!hasSource()) return { isReady: false, reason: "there is neither a registry nor a KVK_API_KEY" };
    return { isReady: true };
  };
}
