import type { SourcedFacts } from "../company/facts.ts";
import type { ViewSource } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { AutocompleteItem, Branch, Company } from "../contract/resources.ts";
import type { Steps } from "../lib/steps.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import type { NameIndex } from "../search/index/nameIndex.ts";
import type { LayerInfo, OriginInfo, SnapshotInfo } from "./info.ts";

/** A company with all its data in a snapshot. */
export interface CompanyRecord {
  readonly company: Company;
  /** Absent when the origin does not provide branches; this differs from an empty list. */
  readonly branches?: readonly Branch[];
  /** The VAT number from the registry. */
  readonly vatNumber?: string;
}

/** The path of a layer, so that another thread can open it. */
export interface LayerPlace {
  readonly path: string;
  readonly info: LayerInfo;
}

/** The name indexes of a snapshot. */
export interface LoadedNames {
  /** The index of the base, then that of the delta, if any. */
  readonly indexes: readonly SharedArrayBuffer[];
  /** The names of the base that the delta replaces; see `hiddenNames`. */
  readonly hidden: Uint32Array | undefined;
}

/** Everything that another thread needs to open a snapshot. */
export interface OpenedSnapshot {
  readonly directory: string;
  readonly info: SnapshotInfo;
  readonly names: LoadedNames;
}

/** An immutable version of the registry. Every method reads the file synchronously. */
export interface Snapshot extends ViewSource {
  readonly info: SnapshotInfo;
  /** Whether names can be searched. False while an index is being built. */
  readonly isFindable: boolean;
  /** Undefined while its name indexes are not loaded. */
  readonly opened: OpenedSnapshot | undefined;
  /** The merged facts of a company. */
  facts(kvkNumber: KvkNumber): SourcedFacts | undefined;
  /** The facts of one origin about a company. */
  factsOf(kvkNumber: KvkNumber, origin: string): SourcedFacts | undefined;
  /** The facts of every origin about a company. */
  originsOf(kvkNumber: KvkNumber): readonly SourcedFacts[];
  /** The companies with data older than a time (Unix milliseconds), oldest first. */
  olderThan(beforeMs: number): Iterable<{ readonly kvkNumber: KvkNumber; readonly asOfMs: number }>;
  /** Suggestions for a partly typed name, best first. */
  autocomplete(q: string, limit: number): AutocompleteItem[];
  /** Does the same in steps, see {@link Steps}; the first takes at most 2 ms. */
  completing(q: string, limit: number): Steps<AutocompleteItem[]>;
  /**
   * Returns a page of the companies that match all criteria, best first, and the total; in steps, see {@link Steps}.
   */
  search(criteria: SearchCriteria): Steps<FoundPage>;
  /** The name index of each layer, the base's first. See `isFindable`. */
  readonly indexes: readonly NameIndex[];
  /** All companies by KVK number. */
  all(): Iterable<CompanyRecord>;
}

/** The registry of one data folder. */
export interface Registry {
  /** The latest snapshot; undefined before the first import. Read it once per request, because it can change. */
  readonly current: Snapshot | undefined;
  close(): void;
}

export type FactsSource = AsyncIterable<SourcedFacts> | Iterable<SourcedFacts>;

export interface ImportProgress {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
}

export interface ImportOptions {
  /** Replace the registry instead of adding to it. */
  readonly replace: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** With `replace`: whether an origin may lose more than a tenth of its companies. True by default. */
  readonly mayShrink?: boolean;
  /** KVK numbers that must not be in the new snapshot. */
  readonly omit?: ReadonlySet<string>;
  /** Called for each company skipped because of `omit`, right after its facts are read. */
  readonly onOmitted?: () => void;
  /**
   * Called for further facts of an origin about a company, right after they are read, with those that arrived first.
   */
  readonly onRepeated?: (earlier: SourcedFacts) => void;
  readonly maxDeltaShare?: number;
}

/** Companies by the effect of the import; `repeated` counts further facts about a company in the same import. */
export interface ImportCounts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly repeated: number;
}

/**
 * The file that an import wrote: `base` for a complete registry, `segment` for a delta, which holds the changes since
 * its base; `nothing` if nothing changed.
 */
export type Written = "base" | "segment" | "nothing";

export interface ImportResult {
  /** The current snapshot; undefined when there were no facts. */
  readonly snapshot: SnapshotInfo | undefined;
  readonly counts: ImportCounts;
  readonly wrote: Written;
  /** The origins that are no longer in the registry. */
  readonly gone: readonly OriginInfo[];
}

export type ImportFacts = (
  directory: string,
  facts: FactsSource,
  options: ImportOptions,
) => Promise<ImportResult>;
