import type { AutocompleteItem } from "../contract/resources.ts";
import { totalOf } from "../contract/totals.ts";
import type { LiveSearches } from "../kvk/cache/liveSearches.ts";
import type { LiveCriteria, LiveHit, LivePage } from "../kvk/liveSource.ts";
import type { Steps } from "../lib/steps.ts";
import { known } from "../lib/values.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import { mayHaveSeveralWords } from "../search/query.ts";
import type { Registry, Snapshot } from "../snapshot/types.ts";
import {
  type InSteps,
  type LookupResult,
  type MaybeLater,
  NO_REGISTRY,
  NOT_FINDABLE,
  type SearchResult,
} from "./answer.ts";
import { rowOf } from "./completion.ts";
import {
  allowedPage,
  allowedRows,
  NOTHING_SUPPRESSED,
  type SuppressedCompanies,
} from "./suppression/suppressed.ts";

export interface FindingOptions {
  readonly registry: Pick<Registry, "current">;
  readonly searches?: LiveSearches | undefined;
  readonly suppressed?: SuppressedCompanies;
}

/** Whether completing these words can hold the thread for more than 2 ms. */
export function mayCompleteSlowly(q: string): boolean {
  return mayHaveSeveralWords(q);
}

/** What KVK's search cannot narrow by. */
export const NOT_LIVE = ["postalCode", "legalForm", "sbiCode"] as const;

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
    return this.#options.registry.current === undefined && this.#options.searches !== undefined;
  }

  autocomplete(q: string, limit: number): MaybeLater<SearchResult<AutocompleteItem[]>> {
    const snapshot = this.#options.registry.current;
    if (snapshot?.isFindable === false) return NOT_FINDABLE;
    if (snapshot !== undefined) {
      const leftOut = Math.min(this.#suppressed.size, MOST_LEFT_OUT);
      const most = limit + leftOut;
      const allowed = (items: AutocompleteItem[]) =>
        leftOut === 0 ? items : allowedRows(this.#suppressed, items).slice(0, limit);
      return { kind: "found", found: allowed(snapshot.autocomplete(q, most)) };
    }
    const criteria = { q, includeInactive: true, page: 1, pageSize: limit };
    return this.#live(criteria, ({ hits }) => allowedRows(this.#suppressed, hits).map(itemOf));
  }

  search(criteria: SearchCriteria): MaybeLater<SearchResult<FoundPage>> {
    const snapshot = this.#options.registry.current;
    if (snapshot?.isFindable === false) return NOT_FINDABLE;
    if (snapshot !== undefined) {
      return this.searchHere(snapshot, criteria);
    }
    const { q, city, isActive, page, pageSize } = criteria;
    const asked = {
      ...known("q", q),
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
