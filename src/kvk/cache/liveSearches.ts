import { withTimeout } from "../../lib/deadline.ts";
import { SingleFlight } from "../../lib/singleFlight.ts";
import type { ObserveWait } from "../../upstream/observe.ts";
import type { SearchShare } from "../budget/searchShare.ts";
import type { Cause, LiveCriteria, LivePage, LiveSource } from "../liveSource.ts";
import type { LiveQueries } from "../queries/live.ts";

/** A page, or why there is none: the source has no answer, and nothing is stored. */
export type SearchHit =
  | { readonly kind: "hit"; readonly page: LivePage }
  | { readonly kind: "miss"; readonly cause: Cause };

interface CachedPage {
  readonly page: LivePage;
  /** Unix milliseconds */
  readonly foundAtMs: number;
}

export interface LiveSearchesOptions {
  readonly source: Pick<LiveSource, "search">;
  readonly store: Pick<LiveQueries, "findSearch" | "storeSearch">;
  /** Limits how often accounts may search the source; without it they may not. */
  readonly share: Pick<SearchShare, "take"> | undefined;
  readonly freshForMs: number;
  readonly deadlineMs: number;
  /** Called on each failure that the operator must fix. */
  readonly onConfiguration?: (reason: string) => void;
  readonly now?: () => number;
  /** Observes waits for the source. */
  readonly observe?: ObserveWait | undefined;
}

const OUTAGE: SearchHit = { kind: "miss", cause: "outage" };

/**
 * Searches of a live source: the stored page while it is fresh, else one call shared by all callers with the same
 * criteria. Pages are large and few are requested twice, so they are stored but not cached in memory.
 */
export class LiveSearches {
  readonly #options: LiveSearchesOptions;
  readonly #now: () => number;
  readonly #flights = new SingleFlight<SearchHit>();

  constructor(options: LiveSearchesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** A fresh stored page; undefined when the source must be called. */
  async fresh(criteria: LiveCriteria): Promise<LivePage | undefined> {
    const cached = await this.#read(criteria);
    const { freshForMs } = this.#options;
    const isFresh =
      cached !== undefined && freshForMs > 0 && Math.abs(this.#now() - cached.foundAtMs) <= freshForMs;
    return isFresh ? cached.page : undefined;
  }

  /**
   * A page from the source; when it has no answer, a stored one.
   * @param accountId the account whose share of searches it counts against, if any
   */
  async ask(criteria: LiveCriteria, accountId?: string): Promise<SearchHit> {
    const { share, deadlineMs, observe = (work) => work() } = this.#options;
    if (accountId !== undefined && share?.take(accountId) !== true) return { kind: "miss", cause: "later" };
    const id = searchIdOf(criteria);
    const flight = observe(() => this.#flights.run(id, () => this.#search(id, criteria)), outcomeOf);
    const hit = (await withTimeout(deadlineMs, flight)) ?? OUTAGE;
    if (hit.kind === "hit") return hit;
    const cached = await this.#read(criteria);
    return cached === undefined ? hit : { kind: "hit", page: cached.page };
  }

  /**
   * A page within `waitMs`, else undefined, also when the store or the source fails. A later answer is stored for the
   * next caller.
   * @param accountId as for {@link ask}
   */
  async within(criteria: LiveCriteria, waitMs: number, accountId?: string): Promise<LivePage | undefined> {
    const result = this.fresh(criteria).then(async (page) => {
      if (page !== undefined) return page;
      const hit = await this.ask(criteria, accountId);
      return hit.kind === "hit" ? hit.page : undefined;
    });
    return withTimeout(
      waitMs,
      result.catch(() => undefined),
    );
  }

  /** Stores the page before returning it. */
  async #search(id: string, criteria: LiveCriteria): Promise<SearchHit> {
    const { source, store, deadlineMs, onConfiguration } = this.#options;
    const result = await source.search(criteria, AbortSignal.timeout(deadlineMs));
    if (result.kind === "no-answer") {
      if (result.cause === "configuration") onConfiguration?.(result.reason);
      return { kind: "miss", cause: result.cause };
    }
    const page = result.value;
    await store.storeSearch(id, { page: JSON.stringify(page), foundAtMs: Date.parse(result.asOf) });
    return { kind: "hit", page };
  }

  async #read(criteria: LiveCriteria): Promise<CachedPage | undefined> {
    const stored = await this.#options.store.findSearch(searchIdOf(criteria));
    return stored === null ? undefined : { ...stored, page: JSON.parse(stored.page) as LivePage };
  }
}

function outcomeOf(hit: SearchHit): string {
  return hit.kind === "miss" ? hit.cause : hit.kind;
}

/** The key of a search in the store. */
function searchIdOf({ q, city, includeInactive, page, pageSize }: LiveCriteria): string {
  return JSON.stringify([q ?? null, city ?? null, includeInactive === true, page, pageSize]);
}
