import type { CompanyFacts } from "../company/facts.ts";
import { type MergedCompany, mergeFacts } from "../company/merge.ts";
import { VIEWS, type ViewName, type ViewResults, type ViewSource } from "../company/views.ts";
import { isKvkNumber, type KvkNumber } from "../contract/numbers.ts";
import { type CachedCompany, sourcedFrom } from "../kvk/cache/companyCache.ts";
import type { LiveCompanies, LiveRequest, MissCause } from "../kvk/cache/liveCompanies.ts";
import type { LiveHealth } from "../kvk/liveSource.ts";
import { known } from "../lib/values.ts";
import type { Snapshot } from "../registry/types.ts";
import { type Absent, type Answer, type LookupResult, type MaybePromise, NO_REGISTRY } from "./answer.ts";
import { allowedAnswer, NOTHING_SUPPRESSED, type SuppressedCompanies } from "./suppression/suppressed.ts";

/** The part of a registry that lookups read; `info` is absent for test data. */
export interface LookupRegistry {
  readonly current:
    | (ViewSource &
        Pick<Snapshot, "isFindable" | "facts" | "completing" | "search" | "indexes"> &
        Partial<Pick<Snapshot, "info">>)
    | undefined;
}

export interface CompaniesOptions {
  readonly registry: LookupRegistry;
  readonly live?: LiveCompanies | undefined;
  /** Maximum age of the snapshot's data where there is a live source, milliseconds. */
  readonly freshForMs: number;
  readonly suppressed?: SuppressedCompanies;
  /** Ends the message that a company is not known. */
  readonly absentHint?: string;
}

/**
 * The companies of the snapshot and of a live source. The snapshot is used while it is fresh and has the needed part;
 * then the cached answer of the source; then the source. When the source has no answer, cached data of any age is used.
 */
export class Companies {
  readonly #options: CompaniesOptions;
  readonly #live: LiveCompanies | undefined;
  readonly #suppressed: SuppressedCompanies;

  constructor(options: CompaniesOptions) {
    this.#options = options;
    this.#live = options.live;
    this.#suppressed = options.suppressed ?? NOTHING_SUPPRESSED;
  }

  /** Undefined without a live source. */
  get liveHealth(): LiveHealth | undefined {
    return this.#live?.health;
  }

  get #snapshot(): LookupRegistry["current"] {
    return this.#options.registry.current;
  }

  get hasLiveSource(): boolean {
    return this.#live !== undefined;
  }

  /** Undefined without a snapshot. */
  get snapshotInfo(): Snapshot["info"] | undefined {
    return this.#snapshot?.info;
  }

  get hasSnapshot(): boolean {
    return this.#snapshot !== undefined;
  }

  /** Whether names can be searched; true where there is no snapshot. */
  get isFindable(): boolean {
    return this.#snapshot?.isFindable !== false;
  }

  get hasSource(): boolean {
    return this.hasSnapshot || this.#live !== undefined;
  }

  /**
   * One company: from memory, else from the store, else by paid work that calls the live source, for which the caller
   * waits at most `deadlineMs`.
   */
  lookUp<N extends ViewName>(
    need: N,
    kvkNumber: KvkNumber,
    maxAgeMs: number | undefined,
    deadlineMs: number,
  ): MaybePromise<LookupResult<ViewResults[N]>> {
    return this.atOnce(need, kvkNumber, maxAgeMs) ?? this.#lookFurther(need, kvkNumber, maxAgeMs, deadlineMs);
  }

  async #lookFurther<N extends ViewName>(
    need: N,
    kvkNumber: KvkNumber,
    maxAgeMs: number | undefined,
    deadlineMs: number,
  ): Promise<LookupResult<ViewResults[N]>> {
    const [stored] = await this.fromStore(need, [kvkNumber], maxAgeMs);
    if (stored !== undefined) return stored;
    return {
      whenPaid: ({ accountId }) => this.fromLive(need, kvkNumber, { accountId, deadlineMs, maxAgeMs }),
    };
  }

  /** The facts about a company that are in memory, if any. */
  facts(kvkNumber: string): CompanyFacts | undefined {
    return isKvkNumber(kvkNumber)
      ? this.#merged(kvkNumber, this.#live?.fromMemory(kvkNumber))?.facts
      : undefined;
  }

  /** A company from memory; undefined when the store or the live source must be asked, never without a live source. */
  atOnce<N extends ViewName>(
    need: N,
    kvkNumber: KvkNumber,
    maxAgeMs = Number.POSITIVE_INFINITY,
  ): Answer<ViewResults[N]> | undefined {
    const answer = this.#inMemory(need, kvkNumber, maxAgeMs);
    return allowedAnswer(this.#suppressed, kvkNumber, answer, VIEWS[need].asEnded);
  }

  #inMemory<N extends ViewName>(
    need: N,
    kvkNumber: KvkNumber,
    maxAgeMs: number,
  ): Answer<ViewResults[N]> | undefined {
    const snapshot = this.#snapshot;
    const views: ViewSource | undefined = snapshot;
    const found = views?.[need](kvkNumber);
    if (this.#live === undefined) {
      if (snapshot === undefined) return NO_REGISTRY;
      return found === undefined ? this.#absent(kvkNumber) : { kind: "found", found };
    }
    const cached = this.#live.fromMemory(kvkNumber);
    if (found !== undefined && snapshot !== undefined && VIEWS[need].isWhole(found)) {
      const date = snapshot.basic(kvkNumber)?.source?.cachedAt;
      if (this.#isYoung(date, maxAgeMs)) {
        const isNewer = cached?.facts !== undefined && cached.answeredAt > (date ?? "");
        return isNewer ? this.#answerFrom(need, kvkNumber, cached) : { kind: "found", found };
      }
    }
    const isFresh = cached !== undefined && this.#live.isFresh(cached, maxAgeMs, need === "branches");
    return isFresh ? this.#answerFrom(need, kvkNumber, cached) : undefined;
  }

  /**
   * Companies from memory or the store, in the order of the numbers; undefined where the source must be asked.
   * @param cause why the source cannot, or must not, be called: data of any age is then used
   */
  async fromStore<N extends ViewName>(
    need: N,
    kvkNumbers: readonly KvkNumber[],
    maxAgeMs?: number,
    cause: MissCause | undefined = this.#live?.unavailableBecause,
  ): Promise<(Answer<ViewResults[N]> | undefined)[]> {
    await this.#live?.read(kvkNumbers);
    return kvkNumbers.map(
      (kvkNumber) =>
        this.atOnce(need, kvkNumber, maxAgeMs) ??
        (cause &&
          allowedAnswer(
            this.#suppressed,
            kvkNumber,
            this.#storedOfAnyAge(need, kvkNumber, cause),
            VIEWS[need].asEnded,
          )),
    );
  }

  /** A company from the live source. @throws {StoreUnavailable} when its answer cannot be stored */
  async fromLive<N extends ViewName>(
    need: N,
    kvkNumber: KvkNumber,
    request: Omit<LiveRequest, "maxAgeMs"> & { readonly maxAgeMs?: number | undefined },
  ): Promise<Answer<ViewResults[N]>> {
    const { maxAgeMs = Number.POSITIVE_INFINITY } = request;
    const atOnce = this.atOnce(need, kvkNumber, maxAgeMs);
    if (atOnce !== undefined) return atOnce;
    const live = this.#live;
    if (live === undefined) return NO_REGISTRY;
    const liveRequest = { ...request, maxAgeMs };
    const result =
      need === "branches"
        ? await live.branches(kvkNumber, liveRequest)
        : await live.company(kvkNumber, liveRequest);
    if (result.kind === "miss" && live.fromMemory(kvkNumber) === undefined) await live.read([kvkNumber]);
    const answer =
      result.kind === "hit"
        ? this.#answerFrom(need, kvkNumber, result.company)
        : this.#storedOfAnyAge(need, kvkNumber, result.cause);
    // It may have been suppressed in the meantime.
    return allowedAnswer(this.#suppressed, kvkNumber, answer, VIEWS[need].asEnded);
  }

  #isYoung(date: string | undefined, maxAgeMs: number): boolean {
    return (
      date !== undefined && Date.now() - Date.parse(date) <= Math.min(this.#options.freshForMs, maxAgeMs)
    );
  }

  /** The source's answer merged with the snapshot, which may have a company that the source lacks. */
  #answerFrom<N extends ViewName>(
    need: N,
    kvkNumber: KvkNumber,
    cached: CachedCompany,
  ): Answer<ViewResults[N]> {
    const merged = this.#merged(kvkNumber, cached);
    return merged === undefined
      ? this.#absent(kvkNumber)
      : { kind: "found", found: VIEWS[need].ofFacts(merged) };
  }

  #storedOfAnyAge<N extends ViewName>(
    need: N,
    kvkNumber: KvkNumber,
    cause: MissCause,
  ): Answer<ViewResults[N]> {
    const merged = this.#merged(kvkNumber, this.#live?.fromMemory(kvkNumber));
    const found = merged && VIEWS[need].ofFacts(merged);
    // An earlier "not found" may be outdated: the company may have been registered since.
    if (found === undefined || (need === "branches" && !VIEWS[need].isWhole(found))) {
      return { kind: "unavailable", cause };
    }
    return { kind: "found", found };
  }

  #merged(kvkNumber: KvkNumber, cached: CachedCompany | undefined): MergedCompany | undefined {
    const inSnapshot = this.#snapshot?.facts(kvkNumber);
    const live = cached && this.#live && sourcedFrom(cached, this.#live.origin);
    if (inSnapshot !== undefined) return mergeFacts(live === undefined ? [inSnapshot] : [inSnapshot, live]);
    // The live source alone needs no merging.
    return live && { facts: live.facts, source: { kvk: live.origin, cachedAt: live.asOf } };
  }

  #absent(kvkNumber: KvkNumber): Absent {
    return { kind: "absent", kvkNumber, ...known("hint", this.#options.absentHint) };
  }
}
