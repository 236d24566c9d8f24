import type { Health } from "./http/endpoint.ts";
import type { Registry } from "./registry/snapshot/types.ts";
import type { ViesState } from "./vat/vies/health.ts";

const BELIEVED_FOR_MS = 1_000;
const PROBE_WITHIN_MS = 2_500;

export interface HealthParts {
  readonly registry: Registry;
  readonly state: { probe(): Promise<void> };
  readonly askVies: () => Promise<ViesState>;
  /** Whether the registry may be out of date, because what is published cannot be fetched. */
  readonly isBehind?: () => boolean;
}

/**
 * Tells whether the service can serve: the state must take a write, the registry must hold a snapshot. The state is
 * asked once a second at most, whoever calls. Without VIES, or without the publisher that the registry follows, the
 * service is degraded: it goes on with what is held.
 */
export function healthCheck({
  registry,
  state,
  askVies,
  isBehind = () => false,
}: HealthParts): () => Promise<Health> {
  let isWritable: Promise<boolean> | undefined;
  let askedAtMs = 0;
  return async () => {
    const nowMs = performance.now();
    if (isWritable === undefined || nowMs - askedAtMs >= BELIEVED_FOR_MS) {
      askedAtMs = nowMs;
      isWritable = succeedsInTime(state.probe());
    }
    const kvk = registry.current === undefined ? "down" : isBehind() ? "degraded" : "up";
    const [canWrite, vies] = await Promise.all([isWritable, askVies()]);
    return {
      status:
        !canWrite || kvk === "down" ? "down" : vies === "down" || kvk === "degraded" ? "degraded" : "ok",
      services: { kvk, vies },
      timestamp: new Date().toISOString(),
    };
  };
}

async function succeedsInTime(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_WITHIN_MS);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  return result;
}
