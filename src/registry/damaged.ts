import { RegistryRefusal } from "./refusal.ts";

/**
 * A file of a snapshot is not the one that was meant: another took its place. That one is served, or found damaged, when it is looked at.
 */
export class ReplacedFile extends RegistryRefusal {
  constructor(path: string) {
    super(`${path} is not the file that was meant: another took its place before it was opened.`);
  }
}

/** A snapshot, or the pointer to it, that cannot be used. The message says why and what to do. */
export class DamagedSnapshot extends RegistryRefusal {
  readonly path: string;
  readonly reason: string;

  /** `canGoBack`: false for the pointer itself, without which nobody knows the snapshot before. */
  constructor(
    path: string,
    reason: string,
    { canGoBack = true, ...options }: { cause?: unknown; canGoBack?: boolean } = {},
  ) {
    const advice = canGoBack
      ? 'Go back to the snapshot before it with "opzoek registry rollback", or import your data again with --replace.'
      : "Import your data again with --replace.";
    super(`${path} cannot be used: ${reason}. ${advice}`, options);
    this.path = path;
    this.reason = reason;
  }
}
