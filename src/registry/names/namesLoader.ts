import { UnusableIndex } from "../../search/index/sections.ts";
import { type LayerMarks, marksOf } from "../layers/marks.ts";
import { type ReplacedNumbers, replacedNumbers } from "../layers/replaced.ts";
import type { LoadedNames } from "../snapshotFile.ts";
import type { LayerPlace } from "../types.ts";
import { answerOfThread, onThread } from "./namesThread.ts";
import { bytesOfNames, READ_HERE_BYTES, readNames } from "./storedNames.ts";

/** Who waits for an index that is being built is told so often how far that is. */
const TOLD_EVERY_MS = 10_000;

/** An index that has to be built, which takes a minute or two for four million companies. */
export type NamesBuilding = { readonly file: string; readonly companies: number } & (
  | { readonly state: "begun"; readonly reason: string }
  /** `secondsLeft` once that can be told. */
  | { readonly state: "under way"; readonly done: number; readonly secondsLeft: number }
  | { readonly state: "done"; readonly seconds: number }
  | { readonly state: "failed"; readonly error: unknown; readonly nextTryInSeconds: number }
);

/** The indexes of some layers, in their order, as far as they are there: the others say why they are not. */
export type FoundNames = readonly (SharedArrayBuffer | UnusableIndex)[];

export interface NamesLoaderOptions {
  /** What is no larger is read on this thread; tests set it. */
  readonly readHereBytes?: number;
  readonly onBuilding?: (building: NamesBuilding) => void;
  readonly toldEveryMs?: number;
}

/** Loads what finding names in a snapshot takes; whatever is large is read, and whatever is lacking built, off this thread. */
export class NamesLoader {
  readonly #options: NamesLoaderOptions;
  readonly #closing = new AbortController();
  /** What is being built, by the SHA-256 of its layer: of two snapshots that need the same index the second waits with the first. */
  readonly #building = new Map<string, Promise<SharedArrayBuffer>>();

  constructor(options: NamesLoaderOptions = {}) {
    this.#options = options;
  }

  get #readHereBytes(): number {
    return this.#options.readHereBytes ?? READ_HERE_BYTES;
  }

  /**
   * Reads the indexes of layers.
   * @param held those that are loaded already, by the SHA-256 of their layers
   * @throws (the promise) when a thread fails, or this is closed
   */
  async read(
    places: readonly LayerPlace[],
    held: ReadonlyMap<string, SharedArrayBuffer> = new Map(),
  ): Promise<FoundNames> {
    const found: (SharedArrayBuffer | UnusableIndex)[] = [];
    for (const place of places) found.push(held.get(place.info.sha256) ?? (await this.#readOne(place)));
    return found;
  }

  /**
   * What the layers need all together, once the indexes that are not there are built.
   * @throws (the promise) when one cannot be built, or this is closed
   */
  async complete(places: readonly LayerPlace[], found: FoundNames): Promise<LoadedNames> {
    const indexes: SharedArrayBuffer[] = [];
    for (const [nth, place] of places.entries()) {
      const one = found[nth];
      indexes.push(one instanceof SharedArrayBuffer ? one : await this.#build(place, one?.message ?? ""));
    }
    return { indexes, marks: await this.#marks(indexes) };
  }

  /** Which companies segments hold, without their indexes. */
  async replaced(segments: readonly LayerPlace[]): Promise<ReplacedNumbers> {
    if (segments.length === 0) return replacedNumbers([]);
    const task = { kind: "replaced", segments } as const;
    return (await onThread(task, "replaced", this.#closing.signal)).replaced;
  }

  /** Ends what is under way; its promises reject. */
  close(): void {
    this.#closing.abort();
  }

  async #readOne(place: LayerPlace): Promise<SharedArrayBuffer | UnusableIndex> {
    if (bytesOfNames(place) <= this.#readHereBytes) {
      try {
        return readNames(place);
      } catch (error) {
        if (error instanceof UnusableIndex) return error;
        throw error;
      }
    }
    const answer = await answerOfThread({ kind: "read", place }, this.#closing.signal);
    if (answer.kind === "index") return answer.index;
    if (answer.kind === "unusable") return new UnusableIndex(answer.reason);
    throw new Error(`the thread for the index of names answered ${answer.kind}`);
  }

  #build(place: LayerPlace, reason: string): Promise<SharedArrayBuffer> {
    const { sha256 } = place.info;
    const underWay = this.#building.get(sha256);
    if (underWay !== undefined) return underWay;
    const building = this.#buildAndTell(place, reason).finally(() => this.#building.delete(sha256));
    this.#building.set(sha256, building);
    return building;
  }

  async #buildAndTell(place: LayerPlace, reason: string): Promise<SharedArrayBuffer> {
    const { file, companies } = place.info;
    const { onBuilding = () => {}, toldEveryMs = TOLD_EVERY_MS } = this.#options;
    const startedMs = performance.now();
    let toldMs = startedMs;
    onBuilding({ file, companies, state: "begun", reason });
    const task = { kind: "make", place } as const;
    const { index } = await onThread(task, "index", this.#closing.signal, (done) => {
      const nowMs = performance.now();
      if (nowMs - toldMs < toldEveryMs || done === 0) return;
      toldMs = nowMs;
      const secondsLeft = Math.ceil((((nowMs - startedMs) / done) * (companies - done)) / 1_000);
      onBuilding({ file, companies, state: "under way", done, secondsLeft });
    });
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    onBuilding({ file, companies, state: "done", seconds });
    return index;
  }

  async #marks(indexes: readonly SharedArrayBuffer[]): Promise<LayerMarks> {
    const bytes = indexes.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (indexes.length === 1 || bytes <= this.#readHereBytes) return marksOf(indexes);
    return (await onThread({ kind: "mark", indexes }, "marks", this.#closing.signal)).marks;
  }
}
