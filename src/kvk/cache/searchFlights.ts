import { SingleFlightCache } from "../../lib/singleFlightCache.ts";
import type { SearchShare } from "../budget/searchShare.ts";
import type { Cause, LiveCriteria, LivePage, LiveSource } from "../liveSource.ts";
import type { LiveStore, StoredSearch } from "../store.ts";

/** A page that is held, or was just asked for; a miss: the source has no answer. */
export type SearchHit =
  | { readonly kind: "hit"; readonly page: LivePage }
  | { readonly kind: "miss"; readonly cause: Cause };

/** A page that is held. */
export interface CachedPage {
  readonly page: LivePage;
  /** Unix milliseconds */
  readonly foundAtMs: number;
}

/** The search of a live source, asked the same once however many want it. */
export interface SearchFlights {
  /**
   * A page by asking the source, kept before anybody is told.
   * @param accountId of whose share of searches it is, which may be over for now; of nobody's when undefined
   */
  search(criteria: LiveCriteria, accountId: string | undefined): Promise<SearchHit | "share-over">;
}

export interface LiveSearchFlightsOptions {
  readonly source: Pick<LiveSource, "search">;
  readonly store: Pick<LiveStore, "heldSearch" | "keepSearch">;
  /** How often accounts may have it searched; without it no account may. */
  readonly share: SearchShare | undefined;
  readonly deadlineMs: number;
  /** Told when the operator must act, each time that shows. */
  readonly onConfiguration?: (reason: string) => void;
}

export class LiveSearchFlights implements SearchFlights {
  readonly #options: LiveSearchFlightsOptions;
  readonly #cache: SingleFlightCache<CachedPage, SearchHit>;

  constructor(options: LiveSearchFlightsOptions) {
    this.#options = options;
    this.#cache = new SingleFlightCache({
      mostInMemory: 0,
      read: (ids) =>
        Promise.all(
          ids.map(async (id) => {
            const stored = await options.store.heldSearch(id);
            return stored && cachedPage(stored);
          }),
        ),
      isNewer: (one, other) => one.foundAtMs > other.foundAtMs,
    });
  }

  async search(criteria: LiveCriteria, accountId: string | undefined): Promise<SearchHit | "share-over"> {
    if (accountId !== undefined && this.#options.share?.take(accountId) !== true) return "share-over";
    const id = searchIdOf(criteria);
    return this.#cache.fly(id, () => this.#search(id, criteria));
  }

  async #search(id: string, criteria: LiveCriteria): Promise<SearchHit> {
    const { source, store, deadlineMs } = this.#options;
    const result = await source.search(criteria, AbortSignal.timeout(deadlineMs));
    if (result.kind === "no-answer") {
      if (result.cause === "configuration") this.#options.onConfiguration?.(result.reason);
      return { kind: "miss", cause: result.cause };
    }
    const page = result.kind === "found" ? result.value : NOTHING;
    const foundAtMs = Date.parse(result.asOf);
    await this.#cache.keep(
      id,
      () => store.keepSearch(id, { page: JSON.stringify(page), foundAtMs }),
      () => ({ page, foundAtMs }),
    );
    return { kind: "hit", page };
  }
}

const NOTHING: LivePage = { hits: [], total: 0, isTotalExact: true };

/** The name of a search in the store. */
export function searchIdOf({ q, city, includeInactive, page, pageSize }: LiveCriteria): string {
  return JSON.stringify([q ?? null, city ?? null, includeInactive === true, page, pageSize]);
}

/** What this program wrote itself, read again. */
export function cachedPage({ page, foundAtMs }: StoredSearch): CachedPage {
  return { page: JSON.parse(page) as LivePage, foundAtMs };
}
