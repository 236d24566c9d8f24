import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SingleFlight } from "../../lib/singleFlight.ts";
import { UnusableIndex } from "../../search/index/sections.ts";
import type { LayerPlace, LoadedNames } from "../types.ts";
import { buildNames } from "./buildNames.ts";
import { hiddenNames } from "./hiddenNames.ts";
import { hideOnThread, readOnThread } from "./namesThread.ts";
import { bytesOfNames, INLINE_READ_BYTES, readNames } from "./storedNames.ts";

const DEFAULT_REPORT_EVERY_MS = 10_000;

/** The progress of an index that has to be built, which takes a minute or two for four million companies. */
export type NamesBuilding = { readonly file: string; readonly companies: number } & (
  | { readonly state: "begun"; readonly reason: string }
  | { readonly state: "under way"; readonly done: number; readonly secondsLeft: number }
  | { readonly state: "done"; readonly seconds: number }
  | { readonly state: "failed"; readonly error: unknown; readonly nextTryInSeconds: number }
);

/** For each layer its index, or the reason why the stored index cannot be used. */
export type FoundNames = readonly (SharedArrayBuffer | UnusableIndex)[];

export interface NamesLoaderOptions {
  /** Larger indexes are read on their own thread; tests set it. */
  readonly readHereBytes?: number;
  readonly onBuilding?: (building: NamesBuilding) => void;
  /** How often `onBuilding` is called while an index is being built. */
  readonly reportEveryMs?: number;
}

/**
 * Loads the name indexes of a snapshot's layers. Reads large ones on their own thread, and has missing ones built by
 * another process.
 */
export class NamesLoader {
  readonly #options: NamesLoaderOptions;
  readonly #readHereBytes: number;
  readonly #closing = new AbortController();
  /** Indexes being built, by the SHA-256 of their layer, so that two snapshots share the same build. */
  readonly #building = new SingleFlight<SharedArrayBuffer>();

  constructor(options: NamesLoaderOptions = {}) {
    this.#options = options;
    this.#readHereBytes = options.readHereBytes ?? INLINE_READ_BYTES;
  }

  /**
   * Reads the indexes of layers.
   * @param loaded those in memory, by the SHA-256 of their layers
   * @throws (the promise) when a thread fails, or this is closed
   */
  async read(
    places: readonly LayerPlace[],
    loaded: ReadonlyMap<string, SharedArrayBuffer> = new Map(),
  ): Promise<FoundNames> {
    const found: (SharedArrayBuffer | UnusableIndex)[] = [];
    for (const place of places) found.push(loaded.get(place.info.sha256) ?? (await this.#readOne(place)));
    return found;
  }

  /** Builds the indexes that could not be used. @throws (the promise) when one cannot be built, or this is closed */
  async complete(places: readonly LayerPlace[], found: FoundNames): Promise<LoadedNames> {
    const indexes: SharedArrayBuffer[] = [];
    for (const [nth, place] of places.entries()) {
      const one = found[nth];
      indexes.push(one instanceof SharedArrayBuffer ? one : await this.#build(place, one?.message ?? ""));
    }
    const bytes = indexes.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const isSmall = indexes.length === 1 || bytes <= this.#readHereBytes;
    const hidden = isSmall ? hiddenNames(indexes) : await hideOnThread(indexes, this.#closing.signal);
    return { indexes, hidden };
  }

  /** Aborts running reads and builds; their promises reject. */
  close(): void {
    this.#closing.abort();
  }

  async #readOne(place: LayerPlace): Promise<SharedArrayBuffer | UnusableIndex> {
    if (bytesOfNames(place) > this.#readHereBytes) return await readOnThread(place, this.#closing.signal);
    try {
      return readNames(place);
    } catch (error) {
      if (error instanceof UnusableIndex) return error;
      throw error;
    }
  }

  #build(place: LayerPlace, reason: string): Promise<SharedArrayBuffer> {
    return this.#building.run(place.info.sha256, () => this.#buildAndReport(place, reason));
  }

  async #buildAndReport(place: LayerPlace, reason: string): Promise<SharedArrayBuffer> {
    const { file, companies } = place.info;
    const { onBuilding = () => {}, reportEveryMs = DEFAULT_REPORT_EVERY_MS } = this.#options;
    const startedMs = performance.now();
    let reportedMs = startedMs;
    onBuilding({ file, companies, state: "begun", reason });
    const onCompanies = (done: number) => {
      const nowMs = performance.now();
      if (nowMs - reportedMs < reportEveryMs || done === 0) return;
      reportedMs = nowMs;
      const secondsLeft = Math.ceil((((nowMs - startedMs) / done) * (companies - done)) / 1_000);
      onBuilding({ file, companies, state: "under way", done, secondsLeft });
    };
    const { signal } = this.#closing;
    const temporaryFolder = join(tmpdir(), `opzoek-names-${randomUUID()}`);
    try {
      const built = await buildNames(place, { onCompanies, signal, temporaryFolder });
      const index = await readOnThread(built, signal);
      if (index instanceof UnusableIndex) throw index;
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      onBuilding({ file, companies, state: "done", seconds });
      return index;
    } finally {
      rmSync(temporaryFolder, { recursive: true, force: true });
    }
  }
}
