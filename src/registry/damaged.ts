import { RegistryRefusal } from "./refusal.ts";

/** Another file took the place of a file of a snapshot before it was opened. The next poll sees the new one. */
export class ReplacedFile extends RegistryRefusal {
  constructor(path: string) {
    super(`${path} was replaced by another file before it was opened.`);
  }
}

/** A snapshot or its pointer cannot be used. */
export class DamagedSnapshot extends RegistryRefusal {
  readonly path: string;
  readonly reason: string;

  /** @param canGoBack false for the pointer itself, which names the previous snapshot */
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
