import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsePointer, pointerPath } from "./directory.ts";
import { layersOf, type SnapshotInfo } from "./info.ts";
import { loadLayers } from "./names/namesThread.ts";
import { openSnapshot } from "./openSnapshot.ts";
import { RegistryNotReadable } from "./refusal.ts";
import type { LoadedNames, SnapshotFile } from "./snapshotFile.ts";
import type { Registry } from "./types.ts";
import { verifyOnce } from "./verified.ts";

/**
 * How long a snapshot stays open after another took its place: longer than any request may last, so that one which
 * began with it can end with it.
 */
const KEEP_OPEN_MS = 60_000;
const DEFAULT_POLL_MS = 1_000;

export interface RegistryOptions {
  /** A new snapshot is served from now on. */
  readonly onSwap?: (info: SnapshotInfo) => void;
  /** A new snapshot cannot be used; the one before is served on. Called once for each problem. */
  readonly onProblem?: (error: unknown) => void;
  readonly pollMs?: number;
}

/**
 * Opens the registry in a folder, which may still be empty, and follows it: what an import or a rollback puts in
 * place is served within a poll. The content of the first snapshot is verified as a whole, unless it was before.
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

/** Whether two snapshots are of the same files. */
function isSame(one: SnapshotInfo, other: SnapshotInfo | undefined): boolean {
  return one.file === other?.file && one.sha256 === other.sha256;
}

class FollowedRegistry implements Registry {
  readonly #directory: string;
  readonly #options: RegistryOptions;
  /** The pointer as it was last read and followed. */
  #followed: string | undefined;
  #current: SnapshotFile | undefined;
  #retired: { readonly snapshot: SnapshotFile; readonly closeAtMs: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #reported: string | undefined;

  constructor(directory: string, options: RegistryOptions) {
    this.#directory = directory;
    this.#options = options;
  }

  get current(): SnapshotFile | undefined {
    return this.#current;
  }

  async start(): Promise<void> {
    const text = await this.#readPointer();
    if (text !== undefined) {
      const { current } = parsePointer(text, pointerPath(this.#directory));
      await verifyOnce(this.#directory, current);
      const names = await this.#load(current);
      if (this.#isClosed) return;
      this.#current = openSnapshot(this.#directory, current, { names });
      this.#followed = text;
    }
    if (!this.#isClosed) this.#pollLater();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#current?.close();
    for (const { snapshot } of this.#retired) snapshot.close();
    this.#current = undefined;
    this.#retired = [];
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
    this.#closeRetired();
    this.#pollLater();
  }

  async #follow(text: string): Promise<void> {
    const { current } = parsePointer(text, pointerPath(this.#directory));
    if (!isSame(current, this.#current?.info)) {
      const before = this.#current;
      // What cannot be opened is told before time goes into its index.
      openSnapshot(this.#directory, current, { before }).close();
      const names = await this.#load(current);
      if (this.#isClosed) return;
      const next = openSnapshot(this.#directory, current, { names, before });
      if (this.#current !== undefined) {
        this.#retired.push({ snapshot: this.#current, closeAtMs: performance.now() + KEEP_OPEN_MS });
      }
      this.#current = next;
      this.#options.onSwap?.(current);
    }
    this.#followed = text;
  }

  /** The indexes of the layers; those that are served already are taken over. */
  #load(info: SnapshotInfo): Promise<LoadedNames> {
    const places = layersOf(info).map((layer) => ({ path: join(this.#directory, layer.file), info: layer }));
    return loadLayers(places, this.#current?.loadedIndexes ?? new Map());
  }

  #closeRetired(): void {
    const now = performance.now();
    this.#retired = this.#retired.filter(({ snapshot, closeAtMs }) => {
      const isNeeded = now < closeAtMs || snapshot.isInUse;
      if (!isNeeded) snapshot.close();
      return isNeeded;
    });
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
