import { withTimeout } from "../../lib/deadline.ts";
import type { Cause, LiveCriteria, LivePage, LiveSource } from "../liveSource.ts";
import type { HeldSearch, LiveStore } from "../store.ts";

export interface LiveSearchesOptions {
  readonly source: Pick<LiveSource, "search">;
  readonly store: Pick<LiveStore, "heldSearch" | "keepSearch">;
  readonly freshForMs: number;
  readonly deadlineMs: number;
  /** Whether a company may be neither kept nor told; none, unless it is given. */
  readonly isForgotten?: (kvkNumber: string) => boolean;
  /** Told when the operator must act, each time that shows. */
  readonly onConfiguration?: (reason: string) => void;
  readonly now?: () => number;
}

export type SearchTold =
  | { readonly kind: "page"; readonly page: LivePage }
  | { readonly kind: "missing"; readonly cause: Cause };

/** Searches of a live source: a page that is held while it is fresh, else one flight for whoever asks the same. */
export class LiveSearches {
  readonly #options: LiveSearchesOptions;
  readonly #now: () => number;
  readonly #flights = new Map<string, Promise<SearchTold>>();

  constructor(options: LiveSearchesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** A fresh page; undefined when the source must be asked. */
  async held(criteria: LiveCriteria): Promise<LivePage | undefined> {
    const held = await this.#options.store.heldSearch(idOf(criteria));
    const { freshForMs } = this.#options;
    const isFresh = held !== null && freshForMs > 0 && Math.abs(this.#now() - held.foundAtMs) <= freshForMs;
    return isFresh ? pageOf(held) : undefined;
  }

  /** A page by asking the source; when it has no answer, one that is held stands in. */
  async ask(criteria: LiveCriteria): Promise<SearchTold> {
    const id = idOf(criteria);
    const told = (await withTimeout(this.#options.deadlineMs, this.#flight(id, criteria))) ?? LATE;
    if (told.kind === "page") return told;
    const held = await this.#options.store.heldSearch(id);
    return held === null ? told : { kind: "page", page: pageOf(held) };
  }

  #allowed({ hits, total, isTotalExact }: LivePage): LivePage {
    const { isForgotten = noneForgotten } = this.#options;
    const allowed = hits.filter(({ kvkNumber }) => !isForgotten(kvkNumber));
    return { hits: allowed, total: total - hits.length + allowed.length, isTotalExact };
  }

  #flight(id: string, criteria: LiveCriteria): Promise<SearchTold> {
    const underWay = this.#flights.get(id);
    if (underWay !== undefined) return underWay;
    const flight = this.#fly(id, criteria).finally(() => this.#flights.delete(id));
    this.#flights.set(id, flight);
    flight.catch(() => {});
    return flight;
  }

  async #fly(id: string, criteria: LiveCriteria): Promise<SearchTold> {
    const { source, store, deadlineMs } = this.#options;
    const word = await source.search(criteria, AbortSignal.timeout(deadlineMs));
    if (word.kind === "no-answer") {
      if (word.cause === "configuration") this.#options.onConfiguration?.(word.reason);
      return { kind: "missing", cause: word.cause };
    }
    const page = word.kind === "found" ? this.#allowed(word.value) : NOTHING;
    await store.keepSearch(id, { page: JSON.stringify(page), foundAtMs: Date.parse(word.asOf) });
    return { kind: "page", page };
  }
}

function noneForgotten(): boolean {
  return false;
}

const LATE: SearchTold = { kind: "missing", cause: "outage" };
const NOTHING: LivePage = { hits: [], total: 0, isTotalExact: true };

function idOf({ q, city, includeInactive, page, pageSize }: LiveCriteria): string {
  return JSON.stringify([q ?? null, city ?? null, includeInactive === true, page, pageSize]);
}

/** What this program wrote itself, read again. */
function pageOf({ page }: HeldSearch): LivePage {
  return JSON.parse(page) as LivePage;
}
