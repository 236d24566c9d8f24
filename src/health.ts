import type { Health } from "./http/endpoint.ts";
import type { Registry } from "./registry/snapshot/types.ts";

const BELIEVED_FOR_MS = 1_000;
const PROBE_WITHIN_MS = 2_500;

/**
 * Tells whether the service can serve: the state must take a write, the registry must hold a snapshot. The state is
 * asked once a second at most, whoever calls.
 */
export function healthCheck(registry: Registry, state: { probe(): Promise<void> }): () => Promise<Health> {
  let isWritable: Promise<boolean> | undefined;
  let askedAtMs = 0;
  return async () => {
    const nowMs = performance.now();
    if (isWritable === undefined || nowMs - askedAtMs >= BELIEVED_FOR_MS) {
      askedAtMs = nowMs;
      isWritable = succeedsInTime(state.probe());
    }
    const kvk = registry.current === undefined ? "down" : "up";
    const canServe = (await isWritable) && kvk === "up";
    return {
      status: canServe ? "ok" : "down",
      services: { kvk },
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
