import type { KvkNumber } from "../../contract/numbers.ts";
import { withTimeout } from "../../lib/deadline.ts";
import type { ObserveWait } from "../../upstream/observe.ts";
import type { LiveHealth } from "../liveSource.ts";
import type { LiveStore } from "../store.ts";
import { type CachedCompany, CompanyCache } from "./companyCache.ts";
import type { Asking, CompanyFlights, CompanyHit, MissCause } from "./companyFlights.ts";
import { isFresh, type LiveLifetimes } from "./freshness.ts";

export interface LiveCompaniesOptions {
  readonly flights: CompanyFlights;
  readonly store: Pick<LiveStore, "findCompanies" | "keepCompany" | "keepBranches">;
  /** The cache in memory, shared with the flights. */
  readonly cache?: CompanyCache<CompanyHit>;
  readonly lifetimes: LiveLifetimes;
  readonly now?: () => number;
  /** Observes the waits for the source. */
  readonly observe?: ObserveWait | undefined;
}

/** Companies of a live source: from what is held while it is fresh, else by a flight to the source. */
export class LiveCompanies {
  readonly #flights: CompanyFlights;
  readonly #cache: CompanyCache<CompanyHit>;
  readonly #lifetimes: LiveLifetimes;
  readonly #now: () => number;
  readonly #observe: ObserveWait;

  constructor({ flights, store, cache, lifetimes, now, observe }: LiveCompaniesOptions) {
    this.#flights = flights;
    const held = cache ?? new CompanyCache(store);
    this.#cache = held;
    this.#lifetimes = lifetimes;
    this.#now = now ?? Date.now;
    this.#observe = observe ?? ((work) => work());
    flights.onKept((kvkNumber, company) => held.note(kvkNumber, company));
  }

  /** The origin of what it tells. */
  get origin(): string {
    return this.#flights.origin;
  }

  /** Why nobody need wait for the source now; undefined while it would be asked. */
  get awayBecause(): MissCause | undefined {
    return this.#flights.awayBecause;
  }

  get health(): LiveHealth {
    return this.#flights.health;
  }

  /** The facts of a company that this process holds, however old. */
  held(kvkNumber: KvkNumber): CachedCompany | undefined {
    return this.#cache.get(kvkNumber);
  }

  /** Has the store tell what it holds; `held` tells it afterwards. */
  async read(kvkNumbers: readonly KvkNumber[]): Promise<void> {
    await this.#cache.read(kvkNumbers);
  }

  /** Whether what is held can be told without asking; with branches, whether these can. */
  isFresh(held: CachedCompany, maxAgeMs: number, withBranches: boolean): boolean {
    return isFresh(held, { maxAgeMs, withBranches, nowMs: this.#now(), lifetimes: this.#lifetimes });
  }

  /** A company by asking the source, within the caller's deadline. @throws {StoreUnavailable} when it cannot be kept */
  company(kvkNumber: KvkNumber, asking: Asking): Promise<CompanyHit> {
    return this.#within(asking, () => this.#flights.company(kvkNumber, asking));
  }

  /** The same with its branches: what is missing of the two is asked for. */
  branches(kvkNumber: KvkNumber, asking: Asking): Promise<CompanyHit> {
    return this.#within(asking, () => this.#flights.branches(kvkNumber, asking));
  }

  async #within({ deadlineMs }: Asking, ask: () => Promise<CompanyHit>): Promise<CompanyHit> {
    return (
      (await withTimeout(deadlineMs, this.#observe(ask, outcomeOf))) ?? { kind: "miss", cause: "outage" }
    );
  }
}

function outcomeOf(hit: CompanyHit): string {
  return hit.kind === "miss" ? hit.cause : hit.kind;
}
