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

/** @param how the difference between archive and manifest */
export function badArchive(how: string, cause?: unknown): FetchFailure {
  const message = `The published archive does not match its manifest (${how}): publish again, and check the server and the caches between.`;
  return new FetchFailure("content", message, { cause });
}
