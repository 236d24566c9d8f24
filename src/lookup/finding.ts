import { type KvkNumber, kvkNumberOf } from "../contract/numbers.ts";
import type { AutocompleteItem } from "../contract/resources.ts";
import { totalOf } from "../contract/totals.ts";
import type { CourtCases } from "../insolvency/types.ts";
import type { LiveSearches } from "../kvk/cache/liveSearches.ts";
import type { LiveCriteria, LiveHit, LivePage } from "../kvk/liveSource.ts";
import type { Steps } from "../lib/steps.ts";
import { known, present } from "../lib/values.ts";
import { matcherOf } from "../match/matcher.ts";
import { NUMBER_FIELDS } from "../match/numberFields.ts";
import { companiesWithNumber, hasNumber } from "../match/numbers.ts";
import type { MatchOptions, MatchQuery, Ranking } from "../match/types.ts";
import type { Snapshot } from "../registry/types.ts";
import type { FindingCriteria } from "../search/criteria.ts";
import { Finder, type FoundPage } from "../search/finder.ts";
import { IndexBuilder } from "../search/index/builder.ts";
import { NameIndex } from "../search/index/nameIndex.ts";
import { indexInMemory } from "../search/index/sections.ts";
import {
  type Answer,
  type LookupResult,
  type MaybePromise,
  NO_REGISTRY,
  NOT_FINDABLE,
  type NoCourt,
} from "./answer.ts";
import type { LookupRegistry } from "./companies.ts";
import { type CompletionOptions, completeSearch, isOfWordsAlone, liveQuery, rowOf } from "./completion.ts";
import { InsolvencySearch, type SearchedSnapshot } from "./insolvencySearch.ts";
import { readNumber } from "./pasted.ts";
import {
  allowedPage,
  allowedRows,
  NOTHING_SUPPRESSED,
  type SuppressedCompanies,
} from "./suppression/suppressed.ts";
import { workQueue } from "./workQueue.ts";

export interface FindingOptions {
  readonly registry: LookupRegistry;
  readonly searches?: LiveSearches | undefined;
  readonly suppressed?: SuppressedCompanies;
  /** Undefined without the court's register. */
  readonly court?: CourtCases | undefined;
  /** Completes searches of the snapshot, where there is a live source. */
  readonly completion?: CompletionOptions | undefined;
}

/** Searches over real or test data. */
export type Finders = Pick<CompanyFinder, "isLive" | "noCourt" | "autocomplete" | "match" | "search">;

/** Criteria that KVK's search does not have. */
export const NOT_LIVE = ["postalCode", "legalForm", "sbiCode", "lei", "euid", "insolvent"] as const;

/** Extra suggestions to find, in case some are suppressed. */
const MAX_LEFT_OUT = 20;

/**
 * Autocomplete and search in the snapshot; without one, by the live source's search, which has whole words and few
 * criteria only.
 */
export class CompanyFinder {
  readonly #options: FindingOptions;
  readonly #suppressed: SuppressedCompanies;
  readonly #solvency: InsolvencySearch;

  constructor(options: FindingOptions) {
    this.#options = options;
    this.#suppressed = options.suppressed ?? NOTHING_SUPPRESSED;
    this.#solvency = new InsolvencySearch(options.court);
  }

  /** Whether searches go to the live source, which does not support {@link NOT_LIVE}, nor ended companies alone. */
  get isLive(): boolean {
    return this.#options.registry.current === undefined && this.#options.searches !== undefined;
  }

  /** Why searches by insolvency have no answer; undefined if they have. */
  get noCourt(): NoCourt | undefined {
    return this.#solvency.noCourt;
  }

  /** The first step in the snapshot takes at most 2 ms; further ones correct a misspelled query and are paid work. */
  autocomplete(q: string, limit: number): MaybePromise<LookupResult<AutocompleteItem[]>> {
    const snapshot = this.#options.registry.current;
    if (snapshot?.isFindable === false) return NOT_FINDABLE;
    if (snapshot !== undefined) return afterFirstStep(this.completeHere(snapshot, q, limit));
    const criteria = { q: liveQuery(q), includeInactive: true, page: 1, pageSize: limit };
    return this.#liveSearch(criteria, ({ hits }) => allowedRows(this.#suppressed, hits).map(itemOf));
  }

  /** The KVK number of the company whose RSIN or LEI is in a text; otherwise the text. */
  #meant(snapshot: Pick<Snapshot, "indexes" | "facts">, q: string): string {
    const number = readNumber(q);
    const isHidden = (kvkNumber: KvkNumber) => this.#suppressed.has(kvkNumber);
    const holders =
      number === undefined ? [] : matcherOf(snapshot).match(number, { limit: 1, isHidden }).candidates;
    return holders[0]?.kvkNumber ?? q;
  }

  *completeHere(
    snapshot: Pick<Snapshot, "completing" | "indexes" | "facts">,
    q: string,
    limit: number,
  ): Steps<AutocompleteItem[]> {
    const leftOut = Math.min(this.#suppressed.size, MAX_LEFT_OUT);
    const items = yield* snapshot.completing(this.#meant(snapshot, q), limit + leftOut);
    return allowedRows(this.#suppressed, items).slice(0, limit);
  }

  /** Matches queries to companies of the snapshot, in one step per query, as paid work. */
  match(queries: readonly MatchQuery[], options: MatchOptions): MaybePromise<LookupResult<Ranking[]>> {
    const snapshot = this.#options.registry.current;
    if (snapshot === undefined) return NO_REGISTRY;
    if (!snapshot.isFindable) return NOT_FINDABLE;
    return {
      whenPaid: async () => found(await workQueue.finishOneByOne(this.#matching(snapshot, queries, options))),
    };
  }

  *#matching(
    snapshot: Pick<Snapshot, "indexes" | "facts">,
    queries: readonly MatchQuery[],
    options: MatchOptions,
  ): Steps<Ranking[]> {
    const isHidden = (kvkNumber: KvkNumber) => this.#suppressed.has(kvkNumber);
    const matcher = matcherOf(snapshot);
    const results: Ranking[] = [];
    for (const query of queries) {
      const { candidates, ...result } = matcher.match(query, { ...options, isHidden });
      results.push({ ...result, candidates: allowedRows(this.#suppressed, candidates) });
      yield;
    }
    return results;
  }

  search(criteria: FindingCriteria): MaybePromise<LookupResult<FoundPage>> {
    const snapshot = this.#options.registry.current;
    if (snapshot?.isFindable === false) return NOT_FINDABLE;
    if (snapshot === undefined) return this.#searchLive(criteria);
    if (criteria.insolvent !== undefined)
      return this.#searchByInsolvency(snapshot, criteria, criteria.insolvent);
    const { completion } = this.#options;
    const search = () => workQueue.finish(this.searchHere(snapshot, criteria));
    return completion !== undefined && isOfWordsAlone(criteria)
      ? completeSearch(completion, search, criteria)
      : search().then(found);
  }

  async #searchByInsolvency(
    snapshot: SearchedSnapshot,
    criteria: FindingCriteria,
    insolvent: boolean,
  ): Promise<Answer<FoundPage>> {
    const among = await this.#solvency.among(snapshot, insolvent);
    return "kind" in among ? among : found(await workQueue.finish(this.searchHere(among, criteria)));
  }

  #searchLive(criteria: FindingCriteria): LookupResult<FoundPage> {
    const { q, city, isActive, page, pageSize } = criteria;
    const liveCriteria = {
      ...known("q", q === undefined ? undefined : liveQuery(q)),
      ...known("city", city),
      includeInactive: isActive !== true,
      page,
      pageSize,
    };
    return this.#liveSearch(liveCriteria, ({ hits, total, isTotalExact }) =>
      allowedPage(this.#suppressed, {
        results: hits.map((hit) => rowOf(hit)),
        ...(isTotalExact ? totalOf(total) : { total, totalIsExact: false }),
      }),
    );
  }

  *searchHere(
    snapshot: SearchedSnapshot,
    { lei, euid, insolvent: _, ...criteria }: FindingCriteria,
  ): Steps<FoundPage> {
    const { q } = criteria;
    const meant = q === undefined ? criteria : { ...criteria, q: this.#meant(snapshot, q) };
    const hasNumber = (lei ?? euid) !== undefined;
    const searched = hasNumber ? companiesWith(snapshot, { lei, euid }) : snapshot;
    return allowedPage(this.#suppressed, yield* searched.search(meant), criteria.isActive);
  }

  #liveSearch<Found>(criteria: LiveCriteria, toResult: (page: LivePage) => Found): LookupResult<Found> {
    const { searches } = this.#options;
    if (searches === undefined) return NO_REGISTRY;
    return {
      whenPaid: async () => {
        const page = await searches.fresh(criteria);
        if (page !== undefined) return found(toResult(page));
        const result = await searches.ask(criteria);
        if (result.kind === "miss") return { kind: "unavailable", cause: result.cause };
        return found(toResult(result.page));
      },
    };
  }
}

/** The companies that have all of the numbers, as a registry of their own to which other criteria apply. */
function companiesWith(
  snapshot: Pick<Snapshot, "indexes" | "facts">,
  numbers: { readonly lei: string | undefined; readonly euid: string | undefined },
): Finder {
  const query = present<MatchQuery>(numbers);
  const factsOf = (kvkNumber: KvkNumber) => snapshot.facts(kvkNumber)?.facts;
  const builder = new IndexBuilder();
  const holders = NUMBER_FIELDS.flatMap((field) =>
    companiesWithNumber(snapshot.indexes, query, field, factsOf),
  );
  for (const kvk of new Set(holders.map(({ index, rank }) => index.records.kvk(rank)))) {
    const company = factsOf(kvkNumberOf(kvk));
    const hasAll = NUMBER_FIELDS.every(
      (field) => query[field] === undefined || hasNumber(query, field, kvkNumberOf(kvk), company) === true,
    );
    if (company !== undefined && hasAll) builder.add({ ...company, ...company.address });
  }
  return new Finder([new NameIndex(indexInMemory(builder.sections()))]);
}

/** Runs the first step. The others wait until they are paid for. */
async function afterFirstStep<Found>(steps: Steps<Found>): Promise<LookupResult<Found>> {
  const step = await workQueue.run(() => steps.next());
  if (step.done === true) return found(step.value);
  return { whenPaid: async () => found(await workQueue.run(() => workQueue.finish(steps))) };
}

function found<Found>(value: Found): Answer<Found> {
  return { kind: "found", found: value };
}

function itemOf({ kvkNumber, name, city, isActive, formerName }: LiveHit): AutocompleteItem {
  const item = { kvkNumber, name, ...known("city", city), ...known("matchedName", formerName) };
  return isActive ? item : { ...item, isActive };
}
