import { dirname } from "node:path";
import type { SourcedFacts } from "../company/facts.ts";
import type { BranchesFound, EnrichedFound } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { AutocompleteItem, BasicCompany } from "../contract/resources.ts";
import { mergeSorted } from "../lib/mergeSorted.ts";
import type { Steps } from "../lib/steps.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import { Finder, type FoundPage } from "../search/finder.ts";
import { NameIndex } from "../search/index/nameIndex.ts";
import type { CompanyRow } from "./codec.ts";
import type { SnapshotInfo } from "./info.ts";
import type { Interner } from "./interner.ts";
import type { Aged, LayerFile } from "./layerFile.ts";
import { hiddenNames } from "./names/hiddenNames.ts";
import { readNames } from "./names/storedNames.ts";
import type { CompanyRecord, LoadedNames, OpenedSnapshot, Snapshot } from "./types.ts";

/** The readers of the name indexes of a snapshot. */
interface NameReaders {
  readonly indexes: readonly NameIndex[];
  readonly finder: Finder;
}

/** An open snapshot: a base, and an optional delta whose companies replace the same companies of the base. */
export class SnapshotFile implements Snapshot {
  readonly info: SnapshotInfo;
  readonly base: LayerFile;
  readonly delta: LayerFile | undefined;
  #names: LoadedNames | undefined;
  #isIndexing: boolean;
  #readers: NameReaders | undefined;
  #iterations = 0;
  #isClosed = false;

  /** @param names "building" while an index is being built; by default they are read on the first search */
  constructor(
    info: SnapshotInfo,
    [base, delta]: readonly [base: LayerFile, delta?: LayerFile | undefined],
    names?: LoadedNames | "building",
  ) {
    this.info = info;
    this.base = base;
    this.delta = delta;
    this.#isIndexing = names === "building";
    if (typeof names === "object") this.takeNames(names);
  }

  /** The base first. */
  get layers(): readonly LayerFile[] {
    return this.delta === undefined ? [this.base] : [this.base, this.delta];
  }

  get isFindable(): boolean {
    return !this.#isIndexing;
  }

  /** Enables name searches. */
  takeNames(names: LoadedNames): NameReaders {
    const { hidden } = names;
    this.#names = names;
    this.#isIndexing = false;
    const indexes = names.indexes.map(
      (index, place) => new NameIndex(index, place === 0 ? hidden : undefined),
    );
    this.#readers = { indexes, finder: new Finder(indexes) };
    return this.#readers;
  }

  get opened(): OpenedSnapshot | undefined {
    const names = this.#names;
    return names && { directory: dirname(this.base.place.path), info: this.info, names };
  }

  /** The loaded indexes by the SHA-256 of their layers, because file names may be reused. */
  get loadedIndexes(): ReadonlyMap<string, SharedArrayBuffer> {
    const { layers } = this;
    return new Map(
      (this.#names?.indexes ?? []).map((index, place) => [layers[place]?.info.sha256 ?? "", index]),
    );
  }

  basic(kvkNumber: KvkNumber): BasicCompany | undefined {
    return this.#layerOf(kvkNumber).basic(kvkNumber);
  }

  enriched(kvkNumber: KvkNumber): EnrichedFound | undefined {
    return this.#layerOf(kvkNumber).enriched(kvkNumber);
  }

  branches(kvkNumber: KvkNumber): BranchesFound | undefined {
    return this.#layerOf(kvkNumber).branches(kvkNumber);
  }

  facts(kvkNumber: KvkNumber): SourcedFacts | undefined {
    return this.#layerOf(kvkNumber).facts(kvkNumber);
  }

  factsOf(kvkNumber: KvkNumber, origin: string): SourcedFacts | undefined {
    return this.originsOf(kvkNumber).find((one) => one.origin === origin);
  }

  originsOf(kvkNumber: KvkNumber): readonly SourcedFacts[] {
    return this.#layerOf(kvkNumber).originsOf(kvkNumber);
  }

  /** The merged row of a company, and the rows of its origins. */
  rows(kvk: number): { readonly company: CompanyRow; readonly byOrigin: readonly CompanyRow[] } | undefined {
    const layer = this.#layerOf(kvk);
    const company = layer.row(kvk);
    if (company === undefined) return undefined;
    return { company, byOrigin: layer.rowsByOrigin(company) };
  }

  /** Whether a file contains one of these companies, even if the delta replaces it. */
  holdsAny(kvkNumbers: ReadonlySet<string>): boolean {
    return [...kvkNumbers].some((kvkNumber) => this.layers.some((layer) => layer.holds(Number(kvkNumber))));
  }

  /**
   * Copies the numbers of origins and activities, for additions. The numbers of the delta continue those of the base.
   */
  interner(): Interner {
    return (this.delta ?? this.base).interner();
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
    return this.#reading().finder.autocomplete(q, limit);
  }

  completing(q: string, limit: number): Steps<AutocompleteItem[]> {
    return this.#reading().finder.autocompleteInSteps(q, limit);
  }

  search(criteria: SearchCriteria): Steps<FoundPage> {
    return this.#reading().finder.search(criteria);
  }

  get indexes(): readonly NameIndex[] {
    return this.#reading().indexes;
  }

  /** Whether an iteration of `all()` or `olderThan()` is in progress. */
  get isInUse(): boolean {
    return this.#iterations > 0;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const layer of this.layers) layer.close();
  }

  /** Returns the layer with the current row of a company, if any. */
  #layerOf(kvkNumber: string | number): LayerFile {
    return this.delta?.holds(Number(kvkNumber)) ? this.delta : this.base;
  }

  /** Yields the current items of both layers in order. */
  *#united<T>(
    itemsOf: (layer: LayerFile) => Iterable<T>,
    numberOf: (item: T) => string,
    isBefore: (a: T, b: T) => boolean,
  ): Generator<T> {
    this.#iterations++;
    try {
      const current = this.layers.map((layer) => this.#current(layer, itemsOf(layer), numberOf));
      yield* mergeSorted(current, isBefore);
    } finally {
      this.#iterations--;
    }
  }

  *#current<T>(layer: LayerFile, items: Iterable<T>, numberOf: (item: T) => string): Generator<T> {
    for (const item of items) if (this.#layerOf(numberOf(item)) === layer) yield item;
  }

  #reading(): NameReaders {
    if (this.#isIndexing) throw new Error("a name index is being built: check isFindable first");
    if (this.#readers !== undefined) return this.#readers;
    const indexes = this.layers.map(({ place }) => readNames(place));
    return this.takeNames({ indexes, hidden: hiddenNames(indexes) });
  }
}
