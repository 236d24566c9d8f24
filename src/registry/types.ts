import type { SourcedFacts } from "../company/facts.ts";
import type { ViewSource } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { AutocompleteItem, Branch, Company } from "../contract/resources.ts";
import type { Steps } from "../lib/steps.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import type { LayerInfo, OriginInfo, SnapshotInfo } from "./info.ts";

/** A company with all its data in a snapshot. */
export interface CompanyRecord {
  readonly company: Company;
  /** Absent when the origin does not hold branches, which is not the same as none. */
  readonly branches?: readonly Branch[];
  /** The VAT number as the registry itself gave it. */
  readonly vatNumber?: string;
}

/** The path of a layer, so that another thread can open it too. */
export interface LayerPlace {
  readonly path: string;
  readonly info: LayerInfo;
}

/** One immutable state of the registry. Every method reads the file synchronously. */
export interface Snapshot extends ViewSource {
  readonly info: SnapshotInfo;
  /** Whether names can be searched. False while an index is being built. */
  readonly isFindable: boolean;
  /** The merged facts of a company. */
  facts(kvkNumber: KvkNumber): SourcedFacts | undefined;
  /** The facts of one origin about a company. */
  factsOf(kvkNumber: KvkNumber, origin: string): SourcedFacts | undefined;
  /** The companies whose data is of before a moment (Unix milliseconds), the oldest first. */
  olderThan(beforeMs: number): Iterable<{ readonly kvkNumber: KvkNumber; readonly asOfMs: number }>;
  /** Companies for a dropdown, best first; empty when nothing fits. */
  autocomplete(q: string, limit: number): AutocompleteItem[];
  /** The same in steps, see {@link Steps}; the first takes 2 ms at most. */
  completing(q: string, limit: number): Steps<AutocompleteItem[]>;
  /** One page of the companies that satisfy every criterion, best first, and how many there are; in steps, see {@link Steps}. */
  search(criteria: SearchCriteria): Steps<FoundPage>;
  /** Every company in the order of KVK numbers. */
  all(): Iterable<CompanyRecord>;
}

/** The registry of one data folder, with the snapshot that was imported last. */
export interface Registry {
  /** Undefined until something was imported. Read it once per request: it can change between two reads. */
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
  /** With `replace`: whether an origin may lose more than a tenth of its companies; true when left out. */
  readonly mayShrink?: boolean;
  /** KVK numbers that may not be in the new snapshot. */
  readonly omit?: ReadonlySet<string>;
  /** Called when the facts that the source returned last are left out because of `omit`. */
  readonly onOmitted?: () => void;
  readonly maxDeltaShare?: number;
}

/** Companies by what an import did with them; `repeated` counts further facts about a company of the same import. */
export interface ImportCounts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly repeated: number;
}

/** The file that an import wrote: a delta of the changes (`segment`), or a base; nothing when nothing changed. */
export type Written = "base" | "segment" | "nothing";

export interface ImportResult {
  /** The current one; undefined when there were no facts. */
  readonly snapshot: SnapshotInfo | undefined;
  readonly counts: ImportCounts;
  readonly wrote: Written;
  /** The origins that are no longer in the registry. */
  readonly gone: readonly OriginInfo[];
}

/** The signature of `importFacts`. */
export type ImportFacts = (
  directory: string,
  facts: FactsSource,
  options: ImportOptions,
) => Promise<ImportResult>;
