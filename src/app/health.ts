import type { Health } from "../http/endpoint.ts";
import type { Readiness } from "../http/probes.ts";
import type { LiveHealth } from "../kvk/liveSource.ts";
import { withTimeout } from "../lib/deadline.ts";
import type { Upstream } from "./compose/parts.ts";

const BELIEVED_FOR_MS = 1_000;
const PROBE_WITHIN_MS = 2_500;
const NOT_FINDABLE =
  "names cannot be searched yet: the name index is being built, or the log says why it cannot be";

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
  readonly upstreams: readonly Pick<Upstream, "health">[];
  /** Whether the registry may be out of date, because the published one cannot be fetched. */
  readonly isBehind?: () => boolean;
}

/**
 * The health of the service: the state must accept a write, and there must be a snapshot or a live source. It is
 * degraded while names cannot be searched, while an upstream, the publisher of the registry or the live source fails,
 * or when its budget is used up, because cached data is then returned.
 */
export function healthCheck(parts: HealthParts): () => Promise<Health> {
  const { companies, isWritable, upstreams, isBehind = () => false } = parts;
  const asked = upstreams.flatMap(({ health = {} }) => Object.entries(health));
  return async () => {
    const kvk = registryHealth(companies, isBehind());
    const canServe = companies.hasSnapshot || companies.liveHealth !== undefined;
    const [canWrite, ...answers] = await Promise.all([
      isWritable(),
      ...asked.map(async ([name, ask]) => [name, await ask()] as const),
    ]);
    const isDegraded = answers.some(([, condition]) => condition === "down") || kvk !== "up";
    return {
      status: !canWrite || !canServe ? "down" : isDegraded ? "degraded" : "ok",
      services: { kvk, ...Object.fromEntries(answers) },
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

/**
 * Whether this process should get calls, and the reason if not. Without a registry it is ready: it says so in each
 * response.
 */
export function readinessCheck(parts: {
  readonly isWritable: () => Promise<boolean>;
  readonly companies: Pick<HealthParts["companies"], "hasSnapshot" | "isFindable">;
  /** Whether names must be searchable, if there is a snapshot. */
  readonly needsSearch: boolean;
  readonly isDraining: () => boolean;
}): () => Promise<Readiness> {
  const { companies } = parts;
  const problem = (canWrite: boolean) => {
    if (parts.isDraining()) return "draining: this process is stopping";
    if (!canWrite) return "the state store is unavailable";
    return companies.isFindable || !parts.needsSearch ? undefined : NOT_FINDABLE;
  };
  return async () => {
    const reason = problem(await parts.isWritable());
    const search = !companies.hasSnapshot ? "none" : companies.isFindable ? "ready" : "building";
    return { ...(reason !== undefined && { reason }), search };
  };
}
