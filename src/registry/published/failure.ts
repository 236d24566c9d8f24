import { RegistryRefusal } from "../errors.ts";

/**
 * - `source`: the server cannot be reached or does not deliver a file; `slow`: a file did not arrive in time
 * - `untrusted`: the manifest has no valid signature, or is not a valid manifest
 * - `older`: the manifest is older than the last one installed; `version`: another version of the program wrote it
 * - `size`: the registry is larger than the settings or the free space of the disk allow
 * - `content`: the archive is not the one that the manifest describes
 */
export type FetchFailureKind = "source" | "slow" | "untrusted" | "older" | "version" | "size" | "content";

/** A published registry could not be installed; the current snapshot stays. */
export class FetchFailure extends RegistryRefusal {
  readonly kind: FetchFailureKind;

  constructor(kind: FetchFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** @param how the difference between archive and manifest */
export function badArchive(how: string, cause?: unknown): FetchFailure {
  const message = `The published archive does not match its manifest (${how}): publish again, and check the server and any caches on the way.`;
  return new FetchFailure("content", message, { cause });
}
