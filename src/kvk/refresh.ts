import type { SourcedFacts } from "../company/facts.ts";
import { cleanFacts } from "../company/merge.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Snapshot } from "../registry/types.ts";
import { type CachedCompany, CompanyCache, sourcedFrom } from "./cache/companyCache.ts";
import type { Cause, LiveSource } from "./liveSource.ts";
import type { LiveStore } from "./store.ts";
import { losesBranches, storedFacts } from "./storedFacts.ts";

export interface RefreshOptions {
  readonly snapshot: Snapshot;
  readonly source: LiveSource;
  readonly store: LiveStore;
  /** Companies whose data is of before this moment are renewed, Unix milliseconds. */
  readonly beforeMs: number;
  /** The paid calls that may still be made. */
  readonly callsLeft: () => number;
  readonly omit: ReadonlySet<string>;
  readonly onProgress?: (companies: number) => void;
}

/** Why the work ended before all companies were renewed. */
export type Stopped = "calls" | Exclude<Cause, "later" | "request" | "free-share">;

export interface Refreshed {
  /** Companies that the source told, now or since `beforeMs`. */
  readonly told: number;
  /** Numbers that the source does not know; they stay as they are. */
  readonly notFound: number;
  /** Companies of which the source had no result. */
  readonly failed: number;
  readonly paidCalls: number;
  readonly stopped?: Stopped;
}

const AT_ONCE = 20;
const READ_AT_ONCE = 200;
/** Of the companies that are asked for again and again so many go first. */
const MOST_ASKED = 100_000;
const DEADLINE_MS = 20_000;
const FAILURES_IN_A_ROW = 5;

/**
 * Has a live source tell the old companies of a snapshot anew, those that are asked for most first, then the oldest. Each is
 * kept as soon as it is told, so that the work can end at any moment and go on another time without paying twice.
 */
export async function refresh(options: RefreshOptions): Promise<Refreshed> {
  const work = new Refresh(options);
  await work.run();
  return work.result;
}

/** Answers since a moment about companies that a snapshot holds with older data, to be imported into it. */
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
  readonly #cache: CompanyCache<never>;
  readonly #counts = { told: 0, notFound: 0, failed: 0, paidCalls: 0 };
  #stopped: Stopped | undefined;
  #failuresInARow = 0;

  constructor(options: RefreshOptions) {
    this.#options = options;
    this.#cache = new CompanyCache(options.store);
  }

  get result(): Refreshed {
    return { ...this.#counts, ...(this.#stopped !== undefined && { stopped: this.#stopped }) };
  }

  async run(): Promise<void> {
    for await (const batch of this.#batches()) {
      const waiting = [...batch];
      const work = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          if (this.#stopped !== undefined) return;
          await this.#renew(next);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      this.#options.onProgress?.(this.#counts.told + this.#counts.notFound + this.#counts.failed);
      if (this.#stopped !== undefined) return;
    }
  }

  /** The numbers to renew, with what is held of them read already. */
  async *#batches(): AsyncGenerator<readonly KvkNumber[]> {
    let batch: KvkNumber[] = [];
    for await (const kvkNumber of this.#candidates()) {
      if (this.#options.omit.has(kvkNumber) || batch.push(kvkNumber) < READ_AT_ONCE) continue;
      await this.#cache.read(batch);
      yield batch;
      batch = [];
    }
    await this.#cache.read(batch);
    yield batch;
  }

  async *#candidates(): AsyncGenerator<KvkNumber> {
    const { snapshot, store, beforeMs } = this.#options;
    const asked = new Set(await store.mostTold(MOST_ASKED));
    for (const text of asked) {
      const company = snapshot.facts(text as KvkNumber);
      if (company !== undefined && Date.parse(company.asOf) < beforeMs) {
        yield company.facts.kvkNumber;
      }
    }
    for (const { kvkNumber } of snapshot.olderThan(beforeMs)) {
      if (!asked.has(kvkNumber)) yield kvkNumber;
    }
  }

  async #renew(kvkNumber: KvkNumber): Promise<void> {
    const { snapshot, source, beforeMs } = this.#options;
    const known = this.#cache.get(kvkNumber);
    const isYoung = known !== undefined && known.toldAtMs >= beforeMs;
    const held = isYoung ? known : await this.#ask(kvkNumber);
    if (held === undefined) return;
    if (held.facts === undefined) {
      this.#counts.notFound += 1;
      return;
    }
    const sourced = sourcedFrom(held, source.origin);
    const asksMore = sourced !== undefined && losesBranches(snapshot, sourced);
    if (asksMore && !(await this.#askForBranches(held))) return;
    this.#counts.told += 1;
  }

  async #ask(kvkNumber: KvkNumber): Promise<CachedCompany | undefined> {
    const result = await this.#options.source.company(kvkNumber, AbortSignal.timeout(DEADLINE_MS));
    this.#counts.paidCalls += result.paidCalls;
    if (result.kind === "no-answer") {
      this.#noteFailure(result.cause);
      return undefined;
    }
    this.#failuresInARow = 0;
    const facts = result.kind === "found" ? cleanFacts(result.value) : undefined;
    return this.#cache.keepCompany(kvkNumber, facts, Date.parse(result.asOf));
  }

  async #askForBranches(held: CachedCompany): Promise<boolean> {
    const { facts, toldAt } = held;
    if (facts === undefined) return false;
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const known = { facts, asOf: toldAt };
    const result = await this.#options.source.branches(facts.kvkNumber, deadline, known);
    this.#counts.paidCalls += result.paidCalls;
    if (result.kind !== "found") {
      if (result.kind === "no-answer") this.#noteFailure(result.cause);
      return false;
    }
    this.#failuresInARow = 0;
    const told = cleanFacts(result.value);
    await this.#cache.keepBranches(held, told, told.branches ?? [], Date.now());
    return true;
  }

  #noteFailure(cause: Cause): void {
    this.#counts.failed += 1;
    if (cause === "budget") this.#stopped ??= this.#options.callsLeft() < 1 ? "calls" : "budget";
    if (cause === "configuration") this.#stopped ??= cause;
    if (cause !== "outage") return;
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= FAILURES_IN_A_ROW || !this.#options.source.permitsCalls)
      this.#stopped ??= cause;
  }
}
