import type { AutocompleteItem } from "../contract/resources.ts";
import { totalOf } from "../contract/totals.ts";
import type { LiveSearches } from "../kvk/cache/liveSearches.ts";
import type { LiveCriteria, LiveHit, LivePage } from "../kvk/liveSource.ts";
import { withTimeout } from "../lib/deadline.ts";
import { inTurns, type Steps } from "../lib/steps.ts";
import { known } from "../lib/values.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import type { Registry, Snapshot } from "../snapshot/types.ts";
import {
  type InSteps,
  type LookupResult,
  type MaybeLater,
  NO_REGISTRY,
  NOT_FINDABLE,
  type SearchResult,
  type Unavailable,
} from "./answer.ts";
import { liveQuery, rowOf, WAIT_MS } from "./completion.ts";
import { isGrown, isOfWordsAlone, joinedRows, withLearned } from "./grown.ts";
import {
  allowedPage,
  allowedRows,
  NOTHING_SUPPRESSED,
  type SuppressedCompanies,
} from "./suppression/suppressed.ts";

export interface FindingOptions {
  readonly registry: Pick<Registry, "current">;
  readonly searches?: LiveSearches | undefined;
  /** Where the rows of `searches` come from, such as `kvk-api`. */
  readonly origin?: string | undefined;
  readonly suppressed?: SuppressedCompanies;
}

/** What KVK's search cannot narrow by. */
export const NOT_LIVE = ["postalCode", "legalForm", "sbiCode"] as const;

/** Who searches while a service starts waits so long at most for the index of names to be read. */
const NAMES_WITHIN_MS = 2_000;

/** What a live source is to somebody who waits for it no longer. */
const LATE: Unavailable = { kind: "unavailable", cause: "outage" };

/** So many more are looked for as may have to be left out. */
const MOST_LEFT_OUT = 20;

/**
 * Autocomplete and search: in the snapshot, and only where there is none by the search of the live source, which knows whole
 * words and few criteria.
 */
export class CompanyFinder {
  readonly #options: FindingOptions;
  readonly #suppressed: SuppressedCompanies;

  constructor(options: FindingOptions) {
    this.#options = options;
    this.#suppressed = options.suppressed ?? NOTHING_SUPPRESSED;
  }

  /** Whether searches go to the live source now, which cannot narrow by {@link NOT_LIVE}, nor to ended companies alone. */
  get isLive(): boolean {
    return this.#snapshot === undefined && this.#options.searches !== undefined;
  }

  /** The snapshot, where it is what searches go by: one that was learned alone is not where the live source can be asked. */
  get #snapshot(): Snapshot | undefined {
    const snapshot = this.#options.registry.current;
    return snapshot !== undefined && this.#options.searches !== undefined && isGrown(snapshot)
      ? undefined
      : snapshot;
  }

  autocomplete(q: string, limit: number): MaybeLater<SearchResult<AutocompleteItem[]>> {
    return this.#withNames(() => this.#autocomplete(q, limit));
  }

  /** What searches when the index of names is read, where it is being read just now. */
  #withNames<Found>(search: () => SearchResult<Found>): MaybeLater<SearchResult<Found>> {
    const soon = this.#options.registry.current?.namesSoon;
    return soon === undefined ? search() : withTimeout(NAMES_WITHIN_MS, soon).then(search);
  }

  #autocomplete(q: string, limit: number): SearchResult<AutocompleteItem[]> {
    const snapshot = this.#snapshot;
    if (snapshot?.isFindable === false) return NOT_FINDABLE;
    if (snapshot !== undefined) return { kind: "in-steps", steps: this.#completing(snapshot, q, limit) };
    const { current } = this.#options.registry;
    if (current?.isFindable !== true) return this.#completedLive(q, limit, []);
    const learned = this.#completing(current, q, limit);
    const first = learned.next();
    if (first.done === true) {
      const own = first.value;
      return own.length >= limit ? { kind: "found", found: own } : this.#completedLive(q, limit, own);
    }
    return {
      kind: "paid-work",
      run: async (accountId) => {
        const own = await inTurns(learned);
        if (own.length >= limit) return { kind: "found", found: own };
        const live = this.#completedLive(q, limit, own);
        return live.kind === "paid-work" ? live.run(accountId) : live;
      },
    };
  }

  /** What was learned, with what the live source adds; that alone where nothing was. */
  #completedLive(q: string, limit: number, own: AutocompleteItem[]): LookupResult<AutocompleteItem[]> {
    const criteria = { q: liveQuery(q), includeInactive: true, page: 1, pageSize: limit };
    const made = ({ hits }: LivePage) =>
      joinedRows(own, allowedRows(this.#suppressed, hits).map(itemOf)).slice(0, limit);
    return own.length === 0 ? this.#live(criteria, made) : this.#liveSoon(criteria, made, own);
  }

  *#completing(snapshot: Snapshot, q: string, limit: number): Steps<AutocompleteItem[]> {
    const leftOut = Math.min(this.#suppressed.size, MOST_LEFT_OUT);
    const items = yield* snapshot.completing(q, limit + leftOut);
    return leftOut === 0 ? items : allowedRows(this.#suppressed, items).slice(0, limit);
  }

  search(criteria: SearchCriteria): MaybeLater<SearchResult<FoundPage>> {
    return this.#withNames(() => this.#search(criteria));
  }

  #search(criteria: SearchCriteria): SearchResult<FoundPage> {
    const snapshot = this.#snapshot;
    if (snapshot?.isFindable === false) return NOT_FINDABLE;
    if (snapshot !== undefined) {
      return this.searchHere(snapshot, criteria);
    }
    const live = this.#searchLive(criteria);
    const { current } = this.#options.registry;
    if (current?.isFindable !== true || live.kind !== "paid-work" || !isOfWordsAlone(criteria)) return live;
    return {
      kind: "paid-work",
      run: async (accountId) => {
        const own = await inTurns(this.#searched(current, criteria));
        const told = live.run(accountId);
        // Who has rows already waits a moment longer for others; what comes too late is kept, and learned.
        const answer = own.results.length === 0 ? await told : ((await withTimeout(WAIT_MS, told)) ?? LATE);
        return withLearned(answer, own, { pageSize: criteria.pageSize, origin: this.#options.origin });
      },
    };
  }

  #searchLive(criteria: SearchCriteria): LookupResult<FoundPage> {
    const { q, city, isActive, page, pageSize } = criteria;
    const asked = {
      ...known("q", q === undefined ? undefined : liveQuery(q)),
      ...known("city", city),
      includeInactive: isActive !== true,
      page,
      pageSize,
    };
    return this.#live(asked, ({ hits, total, isTotalExact }) =>
      allowedPage(this.#suppressed, {
        results: hits.map((hit) => rowOf(hit)),
        ...(isTotalExact ? totalOf(total) : { total, totalIsExact: false }),
      }),
    );
  }

  /** The search of a snapshot on this thread. */
  searchHere(snapshot: Snapshot, criteria: SearchCriteria): InSteps<FoundPage> {
    return { kind: "in-steps", steps: this.#searched(snapshot, criteria) };
  }

  *#searched(snapshot: Snapshot, criteria: SearchCriteria): Steps<FoundPage> {
    return allowedPage(this.#suppressed, yield* snapshot.search(criteria));
  }

  /** What the live source tells within a moment; what is told at any rate when it does not. */
  #liveSoon<Found>(
    criteria: LiveCriteria,
    made: (page: LivePage) => Found,
    otherwise: Found,
  ): LookupResult<Found> {
    return {
      kind: "paid-work",
      run: async () => {
        const page = await this.#options.searches?.within(criteria, WAIT_MS);
        return { kind: "found", found: page === undefined ? otherwise : made(page) };
      },
    };
  }

  #live<Found>(criteria: LiveCriteria, made: (page: LivePage) => Found): LookupResult<Found> {
    const { searches } = this.#options;
    if (searches === undefined) return NO_REGISTRY;
    return {
      kind: "paid-work",
      run: async () => {
        const page = await searches.held(criteria);
        if (page !== undefined) return { kind: "found", found: made(page) };
        const told = await searches.ask(criteria);
        if (told.kind === "miss") return { kind: "unavailable", cause: told.cause };
        return { kind: "found", found: made(told.page) };
      },
    };
  }
}

function itemOf({ kvkNumber, name, city, formerName }: LiveHit): AutocompleteItem {
  return { kvkNumber, name, ...known("city", city), ...known("matchedName", formerName) };
}
