import { withTimeout } from "../../lib/deadline.ts";
import type { ObserveWait } from "../../upstream/observe.ts";
import type { LiveCriteria, LivePage } from "../liveSource.ts";
import type { LiveStore } from "../store.ts";
import {
  type CachedPage,
  cachedPage,
  type SearchFlights,
  type SearchHit,
  searchIdOf,
} from "./searchFlights.ts";

export interface LiveSearchesOptions {
  readonly flights: SearchFlights;
  readonly store: Pick<LiveStore, "heldSearch">;
  readonly freshForMs: number;
  readonly deadlineMs: number;
  readonly now?: () => number;
  /** Observes the waits for the source. */
  readonly observe?: ObserveWait | undefined;
}

/** Searches of a live source: a page that is held while it is fresh, else one flight for whoever asks the same. */
export class LiveSearches {
  readonly #options: LiveSearchesOptions;
  readonly #now: () => number;

  constructor(options: LiveSearchesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** A fresh page; undefined when the source must be asked. */
  async held(criteria: LiveCriteria): Promise<LivePage | undefined> {
    const cached = await this.#read(criteria);
    const { freshForMs } = this.#options;
    const isFresh =
      cached !== undefined && freshForMs > 0 && Math.abs(this.#now() - cached.foundAtMs) <= freshForMs;
    return isFresh ? cached.page : undefined;
  }

  /**
   * A page by asking the source; when it has no answer, one that is held stands in.
   * @param accountId of whose share of searches it is; of nobody's when left out
   */
  async ask(criteria: LiveCriteria, accountId?: string): Promise<SearchHit> {
    const { flights, deadlineMs, observe = (work) => work() } = this.#options;
    const flight = observe(() => flights.search(criteria, accountId), outcomeOf);
    const told = (await withTimeout(deadlineMs, flight)) ?? LATE;
    if (told === "share-over") return { kind: "miss", cause: "later" };
    if (told.kind === "hit") return told;
    const cached = await this.#read(criteria);
    return cached === undefined ? told : { kind: "hit", page: cached.page };
  }

  /**
   * A page within so many milliseconds, whatever becomes of the store and the source; undefined when there is none by then. What comes
   * later is kept for whoever asks next.
   * @param accountId as for {@link ask}
   */
  async within(criteria: LiveCriteria, waitMs: number, accountId?: string): Promise<LivePage | undefined> {
    const asked = this.held(criteria).then(async (held) => {
      if (held !== undefined) return held;
      const told = await this.ask(criteria, accountId);
      return told.kind === "hit" ? told.page : undefined;
    });
    return withTimeout(
      waitMs,
      asked.catch(() => undefined),
    );
  }

  /** Few searches are asked twice, and a page is large: the store holds them. */
  async #read(criteria: LiveCriteria): Promise<CachedPage | undefined> {
    const stored = await this.#options.store.heldSearch(searchIdOf(criteria));
    return stored === null ? undefined : cachedPage(stored);
  }
}

function outcomeOf(hit: SearchHit | "share-over"): string {
  if (hit === "share-over") return hit;
  return hit.kind === "miss" ? hit.cause : hit.kind;
}

const LATE: SearchHit = { kind: "miss", cause: "outage" };
