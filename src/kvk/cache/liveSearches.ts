import { withTimeout } from "../../lib/deadline.ts";
import { SingleFlightCache } from "../../lib/singleFlightCache.ts";
import type { Cause, LiveCriteria, LivePage, LiveSource } from "../liveSource.ts";
import type { LiveStore, StoredSearch } from "../store.ts";

export interface LiveSearchesOptions {
  readonly source: Pick<LiveSource, "search">;
  readonly store: Pick<LiveStore, "heldSearch" | "keepSearch">;
  readonly freshForMs: number;
  readonly deadlineMs: number;
  /** Told when the operator must act, each time that shows. */
  readonly onConfiguration?: (reason: string) => void;
  readonly now?: () => number;
}

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

/** Searches of a live source: a page that is held while it is fresh, else one flight for whoever asks the same. */
export class LiveSearches {
  readonly #options: LiveSearchesOptions;
  readonly #now: () => number;
  readonly #cache: SingleFlightCache<CachedPage, SearchHit>;

  constructor(options: LiveSearchesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#cache = new SingleFlightCache({
      // Few searches are asked twice, and a page is large: the store holds them.
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

  /** A fresh page; undefined when the source must be asked. */
  async held(criteria: LiveCriteria): Promise<LivePage | undefined> {
    const [cached] = await this.#cache.read([idOf(criteria)]);
    const { freshForMs } = this.#options;
    const isFresh =
      cached !== undefined && freshForMs > 0 && Math.abs(this.#now() - cached.foundAtMs) <= freshForMs;
    return isFresh ? cached.page : undefined;
  }

  /** A page by asking the source; when it has no answer, one that is held stands in. */
  async ask(criteria: LiveCriteria): Promise<SearchHit> {
    const id = idOf(criteria);
    const flight = this.#cache.fly(id, () => this.#search(id, criteria));
    const told = (await withTimeout(this.#options.deadlineMs, flight)) ?? LATE;
    if (told.kind === "hit") return told;
    const [cached] = await this.#cache.read([id]);
    return cached === undefined ? told : { kind: "hit", page: cached.page };
  }

  /**
   * A page within so many milliseconds, whatever becomes of the store and the source; undefined when there is none by then. What comes
   * later is kept for whoever asks next.
   * @param mayAsk whether the source may be asked for this caller, where nothing fresh is held
   */
  async within(criteria: LiveCriteria, waitMs: number, mayAsk: () => boolean): Promise<LivePage | undefined> {
    const asked = this.held(criteria).then(async (held) => {
      if (held !== undefined || !mayAsk()) return held;
      const told = await this.ask(criteria);
      return told.kind === "hit" ? told.page : undefined;
    });
    return withTimeout(
      waitMs,
      asked.catch(() => undefined),
    );
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

const LATE: SearchHit = { kind: "miss", cause: "outage" };
const NOTHING: LivePage = { hits: [], total: 0, isTotalExact: true };

function idOf({ q, city, includeInactive, page, pageSize }: LiveCriteria): string {
  return JSON.stringify([q ?? null, city ?? null, includeInactive === true, page, pageSize]);
}

/** What this program wrote itself, read again. */
export function cachedPage({ page, foundAtMs }: StoredSearch): CachedPage {
  return { page: JSON.parse(page) as LivePage, foundAtMs };
}
