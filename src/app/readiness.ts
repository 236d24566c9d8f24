import type { Readiness } from "../http/probes.ts";
import type { StateProbe } from "./stateProbe.ts";

export interface ReadinessParts {
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
