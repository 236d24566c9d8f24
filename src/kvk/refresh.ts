import type { SourcedFacts } from "../company/facts.ts";
import { cleanFacts } from "../company/merge.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Snapshot } from "../registry/types.ts";
import type { LimitedCalls } from "./budget/callBudget.ts";
import { type CachedCompany, CompanyCache, sourcedFrom } from "./cache/companyCache.ts";
import type { Cause, LiveSource } from "./liveSource.ts";
import type { LiveQueries } from "./queries/live.ts";
import { losesBranches, storedFacts } from "./storedFacts.ts";

export interface RefreshOptions {
  readonly snapshot: Snapshot;
  readonly source: LiveSource;
  readonly store: LiveQueries;
  /** Companies with data older than this moment (Unix milliseconds) are renewed. */
  readonly beforeMs: number;
  /** The paid calls that `source` may make. */
  readonly calls: Pick<LimitedCalls, "made" | "isOver">;
  readonly omit: ReadonlySet<string>;
  readonly onProgress?: (companies: number) => void;
}

/** Why the refresh stopped early; `calls`: it made as many paid calls as its caller allows. */
export type Stopped = "calls" | Exclude<Cause, "later" | "request" | "free-share">;

export interface Refreshed {
  /** Renewed companies: the source returned them, now or since `beforeMs`. */
  readonly told: number;
  /** Numbers that the source does not know; they stay as they are. */
  readonly notFound: number;
  /** Companies without a result. */
  readonly failed: number;
  readonly paidCalls: number;
  readonly stopped?: Stopped;
}

const MAX_CONCURRENT = 20;
/** The number of most requested companies to renew first. */
const MAX_REQUESTED_FIRST = 100_000;
const DEADLINE_MS = 20_000;
const MAX_FAILURES_IN_A_ROW = 5;

/**
 * Renews the old companies of a snapshot through a live source, the most requested first, then the oldest. Each is
 * stored at once, so that the work can be stopped at any moment and continued without paying twice.
 */
export async function refresh(options: RefreshOptions): Promise<Refreshed> {
  const work = new Refresh(options);
  await work.run();
  return work.result;
}

/** The stored answers since `beforeMs` that are newer than the snapshot's data, to be imported into it. */
export async function* refreshedFacts({
  snapshot,
  source,
  store,
  beforeMs,
}: RefreshOptions): AsyncGenerator<SourcedFacts> {
  for await (const sourced of storedFacts(store, source.origin, beforeMs)) {
    const { kvkNumber } = sourced.facts;
    if (snapshot.facts(kvkNumber) === undefined) continue;
    const before = snapshot.factsOf(kvkNumber, source.origin);
    if (before !== undefined && before.asOf >= sourced.asOf) continue;
    if (!losesBranches(snapshot, sourced)) yield sourced;
  }
}

class Refresh {
  readonly #options: RefreshOptions;
  readonly #cache: CompanyCache;
  readonly #counts = { told: 0, notFound: 0, failed: 0 };
  #stopped: Stopped | undefined;
  #failuresInARow = 0;

  constructor(options: RefreshOptions) {
    this.#options = options;
    this.#cache = new CompanyCache(options.store);
  }

  get result(): Refreshed {
    const paidCalls = this.#options.calls.made;
    return { ...this.#counts, paidCalls, ...(this.#stopped !== undefined && { stopped: this.#stopped }) };
  }

  async run(): Promise<void> {
    // All workers take numbers from one generator.
    const candidates = this.#candidates();
    const work = async () => {
      for await (const kvkNumber of candidates) {
        if (this.#stopped !== undefined) return;
        await this.#renew(kvkNumber);
        this.#options.onProgress?.(this.#counts.told + this.#counts.notFound + this.#counts.failed);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  }

  async *#candidates(): AsyncGenerator<KvkNumber> {
    const { snapshot, store, beforeMs, omit } = this.#options;
    const requested = new Set(await store.mostRenewed(MAX_REQUESTED_FIRST));
    for (const text of requested) {
      const company = omit.has(text) ? undefined : snapshot.facts(text as KvkNumber);
      if (company !== undefined && Date.parse(company.asOf) < beforeMs) yield company.facts.kvkNumber;
    }
    for (const { kvkNumber } of snapshot.olderThan(beforeMs)) {
      if (!requested.has(kvkNumber) && !omit.has(kvkNumber)) yield kvkNumber;
    }
  }

  async #renew(kvkNumber: KvkNumber): Promise<void> {
    const { snapshot, source, beforeMs } = this.#options;
    const [cached] = await this.#cache.read([kvkNumber]);
    const isYoung = cached !== undefined && cached.answeredAtMs >= beforeMs;
    const company = isYoung ? cached : await this.#fetch(kvkNumber);
    if (company === undefined) return;
    const sourced = sourcedFrom(company, source.origin);
    if (sourced === undefined) {
      this.#counts.notFound += 1;
      return;
    }
    const isComplete = !losesBranches(snapshot, sourced) || (await this.#fetchBranches(company, sourced));
    if (isComplete) this.#counts.told += 1;
  }

  async #fetch(kvkNumber: KvkNumber): Promise<CachedCompany | undefined> {
    const result = await this.#options.source.company(kvkNumber, AbortSignal.timeout(DEADLINE_MS));
    if (result.kind === "no-answer") {
      this.#noteFailure(result.cause);
      return undefined;
    }
    this.#failuresInARow = 0;
    const facts = result.kind === "found" ? cleanFacts(result.value) : undefined;
    return this.#cache.storeCompany(kvkNumber, facts, Date.parse(result.asOf));
  }

  /** Fetches and stores the branches; false when that failed. */
  async #fetchBranches(company: CachedCompany, sourced: SourcedFacts): Promise<boolean> {
    const result = await this.#options.source.branches(sourced, AbortSignal.timeout(DEADLINE_MS));
    if (result.kind === "no-answer") {
      this.#noteFailure(result.cause);
      return false;
    }
    this.#failuresInARow = 0;
    const facts = cleanFacts(result.value);
    await this.#cache.storeBranches(company, facts, facts.branches ?? [], Date.now());
    return true;
  }

  #noteFailure(cause: Cause): void {
    const { calls, source } = this.#options;
    this.#counts.failed += 1;
    if (cause === "budget") this.#stopped ??= calls.isOver ? "calls" : "budget";
    if (cause === "configuration") this.#stopped ??= cause;
    if (cause !== "outage") return;
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= MAX_FAILURES_IN_A_ROW || !source.permitsCalls) this.#stopped ??= cause;
  }
}
