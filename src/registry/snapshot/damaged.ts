import { RegistryRefusal } from "./refusal.ts";

/** A snapshot, or the pointer to it, that cannot be used. The message says why and what to do. */
export class DamagedSnapshot extends RegistryRefusal {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, reason: string, options: { cause?: unknown } = {}) {
    super(
      `${path} cannot be used: ${reason}. Go back to the snapshot before it with "opzoek registry rollback", ` +
        `or import your data again with --replace.`,
      options,
    );
    this.path = path;
    this.reason = reason;
  }
}
