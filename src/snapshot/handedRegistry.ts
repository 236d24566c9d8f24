import { isSameSnapshot } from "./info.ts";
import { openSnapshot } from "./openSnapshot.ts";
import { RetiredSnapshots } from "./retired.ts";
import type { HandedSnapshot, SnapshotFile } from "./snapshotFile.ts";
import type { Registry } from "./types.ts";

/**
 * The registry of a thread that is handed its snapshots by the one that follows the registry. It opens the files for itself and shares the
 * indexes of names.
 */
export class HandedRegistry implements Registry {
  readonly #directory: string;
  readonly #retired = new RetiredSnapshots(() => this.#current);
  #current: SnapshotFile | undefined;
  /** Ends the wait for names of the current one. */
  #namesHere: (() => void) | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  get current(): SnapshotFile | undefined {
    return this.#current;
  }

  /**
   * Serves a snapshot from now on; one that is served already is given its names.
   * @throws {DamagedSnapshot | ReplacedFile} when a file of it cannot be opened, or is another than was handed; the one before is served on then
   */
  take(handed: HandedSnapshot): void {
    const { info, names } = handed;
    const before = this.#current;
    if (before === undefined || !isSameSnapshot(info, before.info)) this.#serve(handed, before);
    else if ("indexes" in names && !before.isFindable) before.takeNames(names);
    if ("indexes" in names || !names.areSoon) this.#namesHere?.();
  }

  close(): void {
    this.#current?.close();
    this.#current = undefined;
    this.#retired.close();
    this.#namesHere?.();
  }

  #serve({ info, identities, names }: HandedSnapshot, before: SnapshotFile | undefined): void {
    const soon = Promise.withResolvers<void>();
    const given =
      "indexes" in names ? names : { replaced: names.replaced, ...(names.areSoon && { soon: soon.promise }) };
    this.#current = openSnapshot(this.#directory, info, { names: given, before, identities });
    if (before !== undefined) this.#retired.add(before);
    this.#namesHere?.();
    this.#namesHere = soon.resolve;
  }
}
