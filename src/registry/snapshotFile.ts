import type { SourcedFacts } from "../company/facts.ts";
import type { BranchesFound, EnrichedFound } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { AutocompleteItem, BasicCompany } from "../contract/resources.ts";
import { mergeSorted } from "../lib/mergeSorted.ts";
import type { Steps } from "../lib/steps.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import { type Explained, Finder, type FoundPage } from "../search/finder.ts";
import { NameIndex } from "../search/index/nameIndex.ts";
import type { CompanyRow } from "./codec.ts";
import type { SnapshotInfo } from "./info.ts";
import type { Interner } from "./interning.ts";
import type { Aged, LayerFile } from "./layers/layerFile.ts";
import { type LayerMarks, marksOf } from "./layers/marks.ts";
import { layerOf, type ReplacedNumbers, replacedNumbers } from "./layers/replaced.ts";
import { namesOf } from "./names/namesFile.ts";
import type { CompanyRecord, Snapshot } from "./types.ts";

/** What finding names in a snapshot takes. */
export interface LoadedNames {
  /** The index of each layer, the base first. */
  readonly indexes: readonly SharedArrayBuffer[];
  readonly marks: LayerMarks;
}

/** A snapshot whose names cannot be found yet, because an index is being built. */
export interface ComingNames {
  readonly replaced: ReplacedNumbers;
}

/** An open snapshot: its base and the segments above it, of which the newest that holds a company speaks for it. */
export class SnapshotFile implements Snapshot {
  readonly info: SnapshotInfo;
  /** The base first. */
  readonly layers: readonly LayerFile[];
  readonly #base: LayerFile;
  #replaced: ReplacedNumbers | undefined;
  #names: LoadedNames | undefined;
  #areNamesComing: boolean;
  #finder: Finder | undefined;
  #iterations = 0;
  #isClosed = false;

  /** @param names left out, they are read, or built, when somebody searches for the first time */
  constructor(
    info: SnapshotInfo,
    layers: readonly [LayerFile, ...LayerFile[]],
    names?: LoadedNames | ComingNames,
  ) {
    this.info = info;
    this.layers = layers;
    this.#base = layers[0];
    this.#areNamesComing = names !== undefined && "replaced" in names;
    if (names === undefined) return;
    if ("replaced" in names) this.#replaced = names.replaced;
    else this.takeNames(names);
  }

  get isFindable(): boolean {
    return !this.#areNamesComing;
  }

  /** Names can be found from now on. */
  takeNames(names: LoadedNames): void {
    this.#replaced = names.marks.replaced;
    this.#names = names;
    this.#finder = finderOf(names);
    this.#areNamesComing = false;
  }

  /**
   * The index of names of each layer by its SHA-256, as far as they are loaded: they never change, where the name of a
   * file may come again.
   */
  get loadedIndexes(): ReadonlyMap<string, SharedArrayBuffer> {
    const loaded = this.#names?.indexes ?? [];
    return new Map(
      this.layers.flatMap(({ info: { sha256 } }, place) => {
        const index = loaded[place];
        return index === undefined ? [] : [[sha256, index]];
      }),
    );
  }

  basic(kvkNumber: KvkNumber): BasicCompany | undefined {
    return this.#layerOf(Number(kvkNumber)).basic(kvkNumber);
  }

  enriched(kvkNumber: KvkNumber): EnrichedFound | undefined {
    return this.#layerOf(Number(kvkNumber)).enriched(kvkNumber);
  }

  branches(kvkNumber: KvkNumber): BranchesFound | undefined {
    return this.#layerOf(Number(kvkNumber)).branches(kvkNumber);
  }

  facts(kvkNumber: KvkNumber): SourcedFacts | undefined {
    return this.#layerOf(Number(kvkNumber)).facts(kvkNumber);
  }

  factsOf(kvkNumber: KvkNumber, origin: string): SourcedFacts | undefined {
    return this.#layerOf(Number(kvkNumber)).factsOf(kvkNumber, origin);
  }

  /** A company's row as it is stored, and what each origin says of it where more than one knows it. */
  rows(kvk: number): { readonly company: CompanyRow; readonly byOrigin: readonly CompanyRow[] } | undefined {
    const layer = this.#layerOf(kvk);
    const company = layer.row(kvk);
    return company === undefined ? undefined : { company, byOrigin: layer.rowsByOrigin(kvk) };
  }

  /** Whether a layer holds one of these companies, also where a newer layer replaces it. */
  holdsAny(kvkNumbers: ReadonlySet<string>): boolean {
    return [...kvkNumbers].some((kvkNumber) => this.layers.some((layer) => layer.holds(Number(kvkNumber))));
  }

  /** Origins and activities by the numbers that the rows of all layers know them by; a segment adds to those of what is below it. */
  newestInterner(): Interner {
    return (this.layers.at(-1) ?? this.#base).interner();
  }

  olderThan(beforeMs: number): Iterable<Aged> {
    return this.#united(
      (layer) => layer.olderThan(beforeMs),
      ({ kvkNumber }) => kvkNumber,
      (a, b) => (a.asOfMs === b.asOfMs ? a.kvkNumber < b.kvkNumber : a.asOfMs < b.asOfMs),
    );
  }

  all(): Iterable<CompanyRecord> {
    return this.#united(
      (layer) => layer.all(),
      ({ company }) => company.kvkNumber,
      (a, b) => a.company.kvkNumber < b.company.kvkNumber,
    );
  }

  autocomplete(q: string, limit: number): AutocompleteItem[] {
    return this.#finding().autocomplete(q, limit);
  }

  completing(q: string, limit: number): Steps<AutocompleteItem[]> {
    return this.#finding().completing(q, limit);
  }

  search(criteria: SearchCriteria): Steps<FoundPage> {
    return this.#finding().search(criteria);
  }

  explained(criteria: SearchCriteria): Steps<Explained[]> {
    return this.#finding().explained(criteria);
  }

  /** Whether somebody is in the middle of `all()` or `olderThan()`. */
  get isInUse(): boolean {
    return this.#iterations > 0;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const layer of this.layers) layer.close();
  }

  #layerOf(kvk: number): LayerFile {
    return this.layers[layerOf(this.#replaced ?? this.#readReplaced(), kvk)] ?? this.#base;
  }

  /** Reads the numbers of all segments: for whoever opens a snapshot without its names, and asks it something. */
  #readReplaced(): ReplacedNumbers {
    this.#replaced = replacedNumbers(this.layers.slice(1).map((layer) => layer.numbers()));
    return this.#replaced;
  }

  /** What all layers hold, in order, without what a newer one replaces. */
  *#united<T>(
    itemsOf: (layer: LayerFile) => Iterable<T>,
    numberOf: (item: T) => string,
    isBefore: (a: T, b: T) => boolean,
  ): Generator<T> {
    this.#iterations++;
    try {
      const speaking = this.layers.map((layer) => this.#speaking(layer, itemsOf(layer), numberOf));
      yield* mergeSorted(speaking, isBefore);
    } finally {
      this.#iterations--;
    }
  }

  *#speaking<T>(layer: LayerFile, items: Iterable<T>, numberOf: (item: T) => string): Generator<T> {
    for (const item of items) if (this.#layerOf(Number(numberOf(item))) === layer) yield item;
  }

  #finding(): Finder {
    if (this.#areNamesComing) throw new Error("whoever searches asks first whether names can be found");
    if (this.#finder === undefined) {
      const indexes = this.layers.map(({ place }) => namesOf(place));
      this.#names = { indexes, marks: marksOf(indexes) };
      this.#finder = finderOf(this.#names);
    }
    return this.#finder;
  }
}

function finderOf({ indexes, marks }: LoadedNames): Finder {
  return new Finder(indexes.map((index, place) => new NameIndex(index, marks.hidden[place])));
}
