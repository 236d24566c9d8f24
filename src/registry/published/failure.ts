import { RegistryRefusal } from "../refusal.ts";

export type FetchFailureKind = "source" | "slow" | "untrusted" | "older" | "version" | "size" | "content";

/** A published registry could not be installed; the current snapshot stays. */
export class FetchFailure extends RegistryRefusal {
  /** Each kind is logged once. */
  readonly kind: FetchFailureKind;

  constructor(kind: FetchFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** @param how the archive differs from what the manifest promises */
export function badArchive(how: string, cause?: unknown): FetchFailure {
  const message = `The published archive is not what the manifest promises (${how}): publish again, and check the server and the caches between.`;
  return new FetchFailure("content", message, { cause });
}
