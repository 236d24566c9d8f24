import type { Health } from "../http/endpoint.ts";
import type { Readiness } from "../http/probes.ts";
import type { LiveHealth } from "../kvk/liveSource.ts";
import { withTimeout } from "../lib/deadline.ts";
import type { ViesState } from "../vat/vies/health.ts";

const BELIEVED_FOR_MS = 1_000;
const PROBE_WITHIN_MS = 2_500;
const NOT_FINDABLE = "names cannot be searched yet: the name index is being built";

/** Checks whether the state accepts a write, at most once a second for all callers. Never rejects. */
export function stateProbe(state: { probe(): Promise<void> }): () => Promise<boolean> {
  let isWritable: Promise<boolean> | undefined;
  let askedAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (isWritable === undefined || nowMs - askedAtMs >= BELIEVED_FOR_MS) {
      askedAtMs = nowMs;
      const probe = withTimeout(
        PROBE_WITHIN_MS,
        state.probe().then(() => true),
      );
      isWritable = probe.then((succeeded) => succeeded ?? false).catch(() => false);
    }
    return isWritable;
  };
}

interface HealthParts {
  readonly companies: {
    readonly hasSnapshot: boolean;
    /** Whether the snapshot can be searched by name. */
    readonly isFindable: boolean;
    readonly liveHealth: LiveHealth | undefined;
  };
  readonly isWritable: () => Promise<boolean>;
  readonly askVies: () => Promise<ViesState>;
  /** Whether the registry may be out of date, because the published one cannot be fetched. */
  readonly isBehind?: () => boolean;
}

/**
 * The health of the service: the state must accept a write, and there must be a snapshot or a live source. It is degraded
 * while names cannot be searched, while VIES, the publisher of the registry or the live source fails, or when its budget
 * is used up, because cached data is then returned.
 */
export function healthCheck(parts: HealthParts): () => Promise<Health> {
  const { companies, isWritable, askVies, isBehind = () => false } = parts;
  return async () => {
    const kvk = registryHealth(companies, isBehind());
    const canServe = companies.hasSnapshot || companies.liveHealth !== undefined;
    const [canWrite, vies] = await Promise.all([isWritable(), askVies()]);
    return {
      status: !canWrite || !canServe ? "down" : vies === "down" || kvk !== "up" ? "degraded" : "ok",
      services: { kvk, vies },
      ...(!companies.isFindable && { reason: NOT_FINDABLE }),
      timestamp: new Date().toISOString(),
    };
  };
}

/** With a snapshot, failures of the live source only degrade the registry. */
function registryHealth(
  { hasSnapshot, isFindable, liveHealth }: HealthParts["companies"],
  isBehind: boolean,
): LiveHealth {
  if (!hasSnapshot) return liveHealth ?? "down";
  return isBehind || !isFindable || (liveHealth !== undefined && liveHealth !== "up") ? "degraded" : "up";
}

/** Whether this process should get calls, and the reason if not. */
export function readinessCheck(parts: {
  readonly isWritable: () => Promise<boolean>;
  /** Whether companies can be looked up at all, in a snapshot or a live source. */
  readonly hasSource: () => boolean;
  readonly isDraining: () => boolean;
}): () => Promise<Readiness> {
  return async () => {
    const canWrite = await parts.isWritable();
    if (parts.isDraining()) return { isReady: false, reason: "draining: this process is stopping" };
    if (!canWrite) return { isReady: false, reason: "the state store is unavailable" };
    if (!parts.hasSource()) return { isReady: false, reason: "no registry and no KVK_API_KEY" };
    return { isReady: true };
  };
}
