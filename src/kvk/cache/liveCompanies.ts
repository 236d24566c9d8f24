import type { KvkNumber } from "../../contract/numbers.ts";
import { withTimeout } from "../../lib/deadline.ts";
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
}

/** Companies of a live source: from what is held while it is fresh, else by a flight to the source. */
export class LiveCompanies {
  readonly #flights: CompanyFlights;
  readonly #cache: CompanyCache<CompanyHit>;
  readonly #lifetimes: LiveLifetimes;
  readonly #now: () => number;

  constructor({ flights, store, cache, lifetimes, now }: LiveCompaniesOptions) {
    this.#flights = flights;
    const held = cache ?? new CompanyCache(store);
    this.#cache = held;
    this.#lifetimes = lifetimes;
    this.#now = now ?? Date.now;
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
    return within(asking, this.#flights.company(kvkNumber, asking));
  }

  /** The same with its branches: what is missing of the two is asked for. */
  branches(kvkNumber: KvkNumber, asking: Asking): Promise<CompanyHit> {
    return within(asking, this.#flights.branches(kvkNumber, asking));
  }
}

async function within({ deadlineMs }: Asking, told: Promise<CompanyHit | undefined>): Promise<CompanyHit> {
  return (await withTimeout(deadlineMs, told)) ?? { kind: "miss", cause: "outage" };
}
