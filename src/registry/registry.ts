import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsePointer } from "./directory.ts";
import { RegistryNotReadable } from "./errors.ts";
import { isSameSnapshot, layersOf, type SnapshotInfo } from "./info.ts";
import { CannotBuildNames } from "./names/buildNames.ts";
import { type FoundNames, NamesLoader, type NamesLoaderOptions } from "./names/namesLoader.ts";
import { openNamed, openSnapshot } from "./openSnapshot.ts";
import { pointerPath } from "./paths.ts";
import { RetiredSnapshots } from "./retiredSnapshots.ts";
import type { SnapshotFile } from "./snapshotFile.ts";
import type { LayerPlace, Registry } from "./types.ts";
import { verifyOnce } from "./verified.ts";

const DEFAULT_POLL_MS = 1_000;
/** The pause after a name index could not be built. */
const TRY_AGAIN_MS = 60_000;

export interface RegistryOptions extends NamesLoaderOptions {
  /** Called when a new snapshot is served. */
  readonly onSwap?: (info: SnapshotInfo) => void;
  /** Called once per problem when a new snapshot cannot be used; the previous one stays. */
  readonly onProblem?: (error: unknown) => void;
  readonly pollMs?: number;
}

/**
 * Opens the registry in a folder, which may be empty, and polls for new snapshots. Verifies the content of the first
 * snapshot, unless it was verified before, and reads its name index. An unusable index is built by another process;
 * until then companies can be looked up, but names cannot be searched.
 * @throws {DamagedSnapshot} when the snapshot cannot be used
 * @throws {RegistryNotReadable}
 */
export async function openRegistry(directory: string, options: RegistryOptions = {}): Promise<Registry> {
  const { registry, opened } = startOpening(directory, options);
  await opened;
  return registry;
}

/**
 * Does the same without waiting: the registry is empty until `opened` is fulfilled. The caller must await `opened`, and
 * close the registry even if it rejects.
 */
export function startOpening(
  directory: string,
  options: RegistryOptions = {},
): { readonly registry: Registry; readonly opened: Promise<void> } {
  const registry = new FollowedRegistry(directory, options);
  return { registry, opened: registry.start() };
}

function placesOf(directory: string, info: SnapshotInfo): LayerPlace[] {
  return layersOf(info).map((layer) => ({ path: join(directory, layer.file), info: layer }));
}

class FollowedRegistry implements Registry {
  readonly #directory: string;
  readonly #options: RegistryOptions;
  readonly #loader: NamesLoader;
  /** The last pointer that was read and applied. */
  #appliedPointer: string | undefined;
  #current: SnapshotFile | undefined;
  readonly #retired = new RetiredSnapshots(() => this.#current);
  #timer: NodeJS.Timeout | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #reportedProblem: string | undefined;
  /** The last pointer whose index could not be built, and when to try again. */
  #failed: { readonly text: string | undefined; readonly untilMs: number } | undefined;

  constructor(directory: string, options: RegistryOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#loader = new NamesLoader(options);
  }

  get current(): SnapshotFile | undefined {
    return this.#current;
  }

  async start(): Promise<void> {
    let text = await this.#readPointer();
    while (text !== undefined && text !== this.#appliedPointer && !this.#isClosed) {
      text = await this.#openFirst(text);
    }
    if (!this.#isClosed) this.#pollLater();
  }

  close(): void {
    this.#isClosed = true;
    this.#loader.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#retryTimer);
    this.#current?.close();
    this.#current = undefined;
    this.#retired.close();
  }

  #pollLater(): void {
    this.#timer = setTimeout(() => void this.#poll(), this.#options.pollMs ?? DEFAULT_POLL_MS);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    let text: string | undefined;
    try {
      text = await this.#readPointer();
      if (this.#isClosed) return;
      const failed = this.#failed;
      const isPaused = failed !== undefined && failed.text === text && performance.now() < failed.untilMs;
      if (text !== undefined && text !== this.#appliedPointer && !isPaused) await this.#follow(text);
      if (!isPaused) this.#reportedProblem = undefined;
    } catch (error) {
      if (error instanceof CannotBuildNames)
        this.#failed = { text, untilMs: performance.now() + TRY_AGAIN_MS };
      // Two imports in quick succession may delete the files of the pointer that was read. The next poll then succeeds.
      const now = await this.#readPointer().catch(() => undefined);
      if (now === undefined || now === text) this.#report(error);
    }
    if (this.#isClosed) return;
    this.#pollLater();
  }

  /**
   * Serves the snapshot of a pointer.
   * @returns the current pointer, which differs if it was replaced before its files were open
   */
  async #openFirst(text: string): Promise<string | undefined> {
    try {
      const { current } = parsePointer(text, pointerPath(this.#directory));
      await verifyOnce(this.#directory, current);
      await this.#serve(current);
      this.#appliedPointer = text;
      return text;
    } catch (error) {
      if (this.#isClosed) return undefined;
      const now = await this.#readPointer();
      if (now === undefined || now === text) throw error;
      return now;
    }
  }

  async #follow(text: string): Promise<void> {
    const { current } = parsePointer(text, pointerPath(this.#directory));
    if (!isSameSnapshot(current, this.#current?.info)) {
      // Detects damage before the indexes are read.
      openSnapshot(this.#directory, current, { before: this.#current }).close();
      await this.#serve(current);
      if (this.#isClosed) return;
      this.#options.onSwap?.(current);
    }
    this.#appliedPointer = text;
  }

  /**
   * Replaces the served snapshot and keeps loaded indexes. If an index must be built, the new snapshot waits for it
   * while the served one can find names.
   */
  async #serve(info: SnapshotInfo): Promise<void> {
    const before = this.#current;
    const places = placesOf(this.#directory, info);
    const found = await this.#loader.read(places, this.#loadedIndexes());
    const areUsable = found.every((index) => index instanceof SharedArrayBuffer);
    const isCompletedFirst = areUsable || before?.isFindable === true;
    const names = isCompletedFirst ? await this.#loader.complete(places, found) : "building";
    if (this.#isClosed) return;
    const next = openNamed(this.#directory, info, { names, before });
    if (before !== undefined) this.#retired.add(before);
    this.#current = next;
    if (!next.isFindable) void this.#completeLater(next, places, found);
  }

  /** Builds missing indexes and enables name searches if the snapshot is still served. Never rejects. */
  async #completeLater(
    snapshot: SnapshotFile,
    places: readonly LayerPlace[],
    found: FoundNames,
  ): Promise<void> {
    try {
      const names = await this.#loader.complete(places, found);
      if (this.#current !== snapshot) return;
      snapshot.takeNames(names);
    } catch (error) {
      if (this.#current !== snapshot) return;
      const { file, companies } = snapshot.info;
      const nextTryInSeconds = TRY_AGAIN_MS / 1_000;
      this.#options.onBuilding?.({ file, companies, state: "failed", error, nextTryInSeconds });
      this.#retryTimer = setTimeout(() => void this.#completeLater(snapshot, places, found), TRY_AGAIN_MS);
      this.#retryTimer.unref();
    }
  }

  /**
   * The loaded indexes by the SHA-256 of their layers, including retired snapshots, so that a quick rollback reads
   * none.
   */
  #loadedIndexes(): ReadonlyMap<string, SharedArrayBuffer> {
    const open = [...this.#retired.all, ...(this.#current ? [this.#current] : [])];
    return new Map(open.flatMap(({ loadedIndexes }) => [...loadedIndexes]));
  }

  /** Reports a problem once until it is solved. */
  #report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#reportedProblem) return;
    this.#reportedProblem = message;
    this.#options.onProblem?.(error);
  }

  async #readPointer(): Promise<string | undefined> {
    try {
      return await readFile(pointerPath(this.#directory), "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw new RegistryNotReadable(this.#directory, error);
    }
  }
}
