import type { SourcedFacts } from "../company/facts.ts";
import type { HoldsViews } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { AutocompleteItem, Branch, Company } from "../contract/resources.ts";
import type { Steps } from "../lib/steps.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { Explained, FoundPage } from "../search/finder.ts";
import type { LayerInfo, OriginInfo, SnapshotInfo } from "./info.ts";

/** A company with all that a snapshot holds of it. */
export interface CompanyRecord {
  readonly company: Company;
  /** Absent when the origin does not hold branches, which is not the same as none. */
  readonly branches?: readonly Branch[];
  /** The VAT number as the registry itself gave it. */
  readonly vatNumber?: string;
}

/** Where a file of a snapshot is, for another thread to open it too. */
export interface LayerPlace {
  readonly path: string;
  readonly info: LayerInfo;
}

/** One immutable state of the registry. Everything answers at once, from the file. */
export interface Snapshot extends HoldsViews {
  readonly info: SnapshotInfo;
  /** Whether names can be found: not while an index of theirs is being built. Then nobody may search. */
  readonly isFindable: boolean;
  /** All that it holds of a company, of its origins together. */
  facts(kvkNumber: KvkNumber): SourcedFacts | undefined;
  /** What one origin, by its name in the snapshot, says of a company. */
  factsOf(kvkNumber: KvkNumber, origin: string): SourcedFacts | undefined;
  /** The companies whose data is of before a moment (Unix milliseconds), the oldest first. */
  olderThan(beforeMs: number): Iterable<{ readonly kvkNumber: KvkNumber; readonly asOfMs: number }>;
  /** Companies for a dropdown, best first; empty when nothing fits. */
  autocomplete(q: string, limit: number): AutocompleteItem[];
  /** The same in steps, see {@link Steps}; the first takes 2 ms at most. */
  completing(q: string, limit: number): Steps<AutocompleteItem[]>;
  /** One page of the companies that satisfy every criterion, best first, and how many there are; in steps, see {@link Steps}. */
  search(criteria: SearchCriteria): Steps<FoundPage>;
  /** The same page, each company with why it stands where it does. */
  explained(criteria: SearchCriteria): Steps<Explained[]>;
  /** Every company in the order of KVK numbers. */
  all(): Iterable<CompanyRecord>;
}

/** The registry of one data folder: its current snapshot, taken up anew whenever an import lands. */
export interface Registry {
  /** Undefined as long as nothing was imported. Take it once per request: it may be another one the next time. */
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
  /** Start afresh instead of adding to what is there. */
  readonly replace: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** With `replace`: whether an origin may lose more than a tenth of its companies; true when left out. */
  readonly mayShrink?: boolean;
  /** KVK numbers that may not be in the new snapshot, though they come in or are in the one before. */
  readonly omit?: ReadonlySet<string>;
  /** Called when the facts that the source returned last are left out because of `omit`. */
  readonly onOmitted?: () => void;
  readonly maxDeltaShare?: number;
}

/** What an import did, in companies; `repeated` counts facts about a company that the same import gave again. */
export interface ImportCounts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly repeated: number;
}

/** What an import put in place: a segment of what changed, or a base of all; nothing where nothing changed. */
export type Written = "base" | "segment" | "nothing";

export interface ImportResult {
  /** The current one; undefined when there were no facts: then nothing was built. */
  readonly snapshot: SnapshotInfo | undefined;
  readonly counts: ImportCounts;
  readonly wrote: Written;
  /** The origins that the registry held before and holds no more. */
  readonly gone: readonly OriginInfo[];
}

/** The signature of `importFacts`. */
export type ImportFacts = (
  directory: string,
  facts: FactsSource,
  options: ImportOptions,
) => Promise<ImportResult>;
