import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsePointer } from "./directory.ts";
import { isSameSnapshot, layersOf, type SnapshotInfo } from "./info.ts";
import { type FoundNames, NamesLoader, type NamesLoaderOptions } from "./names/namesLoader.ts";
import { openNamed, openSnapshot } from "./openSnapshot.ts";
import { pointerPath } from "./places.ts";
import { RegistryNotReadable } from "./refusal.ts";
import { RetiredSnapshots } from "./retired.ts";
import type { SnapshotFile } from "./snapshotFile.ts";
import type { LayerPlace, Registry } from "./types.ts";
import { verifyOnce } from "./verified.ts";

const DEFAULT_POLL_MS = 1_000;
/** An index of names that could not be built is tried again so much later. */
const TRY_AGAIN_MS = 60_000;

/** `onBuilding` is told of indexes of names that are not there and have to be built. */
export interface RegistryOptions extends NamesLoaderOptions {
  /** A new snapshot is served from now on. */
  readonly onSwap?: (info: SnapshotInfo) => void;
  /** A new snapshot cannot be used; the one before is served on. Called once for each problem. */
  readonly onProblem?: (error: unknown) => void;
  readonly pollMs?: number;
}

/**
 * Opens the registry in a folder, which may still be empty, and follows it: what an import or a rollback puts in
 * place is served within a poll. The content of the first snapshot is verified as a whole, unless it was before, and its index of names is read. An
 * index that cannot be used is built in the background: companies can be looked up meanwhile, and names be searched when it is done.
 * @throws {DamagedSnapshot} when there is a snapshot and it cannot be used
 * @throws {RegistryNotReadable}
 */
export async function openRegistry(directory: string, options: RegistryOptions = {}): Promise<Registry> {
  const { registry, opened } = startOpening(directory, options);
  await opened;
  return registry;
}

/**
 * The same for whoever has something to do meanwhile: the registry has nothing before `opened` is fulfilled, and is theirs to close whatever
 * comes of it. Somebody must await `opened`.
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
  /** The pointer as it was last read and followed. */
  #followed: string | undefined;
  #current: SnapshotFile | undefined;
  readonly #retired = new RetiredSnapshots(() => this.#current);
  #timer: NodeJS.Timeout | undefined;
  #secondTry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #reported: string | undefined;

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
    while (text !== undefined && text !== this.#followed && !this.#isClosed) {
      text = await this.#openFirst(text);
    }
    if (!this.#isClosed) this.#pollLater();
  }

  close(): void {
    this.#isClosed = true;
    this.#loader.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#secondTry);
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
      if (text !== undefined && text !== this.#followed) await this.#follow(text);
      this.#reported = undefined;
    } catch (error) {
      // Two imports in a row delete what the pointer named a moment ago: then the next poll has the right one.
      const now = await this.#readPointer().catch(() => undefined);
      if (now === undefined || now === text) this.#report(error);
    }
    if (this.#isClosed) return;
    this.#pollLater();
  }

  /** Serves what a pointer names. @returns the pointer as it is then, where that was replaced before its files were open */
  async #openFirst(text: string): Promise<string | undefined> {
    try {
      const { current } = parsePointer(text, pointerPath(this.#directory));
      await verifyOnce(this.#directory, current);
      await this.#serve(current);
      this.#followed = text;
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
      // Tells at once whether it is damaged; who else needs its files is none of its business.
      openSnapshot(this.#directory, current, { before: this.#current }).close();
      await this.#serve(current);
      if (this.#isClosed) return;
      this.#options.onSwap?.(current);
    }
    this.#followed = text;
  }

  /**
   * Serves a snapshot from now on, in the place of another; indexes that are loaded already are taken over. One whose names cannot be found before an
   * index is built waits for that where another finds them meanwhile.
   */
  async #serve(info: SnapshotInfo): Promise<void> {
    const before = this.#current;
    const places = placesOf(this.#directory, info);
    const found = await this.#loader.read(places, this.#loadedIndexes());
    const isThere = found.every((index) => index instanceof SharedArrayBuffer);
    const mustWait = isThere || before?.isFindable === true;
    const names = mustWait ? await this.#loader.complete(places, found) : "building";
    if (this.#isClosed) return;
    const next = openNamed(this.#directory, info, { names, before });
    if (before !== undefined) this.#retired.add(before);
    this.#current = next;
    if (!next.isFindable) void this.#completeLater(next, places, found);
  }

  /** Lets names be found when their indexes are built, if the snapshot is still served then. Never rejects. */
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
      this.#secondTry = setTimeout(() => void this.#completeLater(snapshot, places, found), TRY_AGAIN_MS);
      this.#secondTry.unref();
    }
  }

  /** The indexes in memory by the SHA-256 of their layers: going back to the snapshot before, a moment after a new one came, reads none. */
  #loadedIndexes(): ReadonlyMap<string, SharedArrayBuffer> {
    const open = [...this.#retired.all, ...(this.#current ? [this.#current] : [])];
    return new Map(open.flatMap(({ loadedIndexes }) => [...loadedIndexes]));
  }

  /** One problem is told once, however often it is met; after it went away it may be told again. */
  #report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#reported) return;
    this.#reported = message;
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
