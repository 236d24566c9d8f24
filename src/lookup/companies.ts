import type { SourcedFacts } from "../company/facts.ts";
import { type MergedCompany, mergeFacts } from "../company/merge.ts";
import { type ByNeed, type HoldsViews, type Need, VIEWS } from "../company/views.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { type CachedCompany, sourcedFrom } from "../kvk/cache/companyCache.ts";
import type { Asking, LiveCompanies, MissCause } from "../kvk/cache/liveCompanies.ts";
import type { LiveHealth } from "../kvk/liveSource.ts";
import { known } from "../lib/values.ts";
import type { Snapshot } from "../registry/types.ts";
import { type Absent, type Answer, type LookupResult, type MaybeLater, NO_REGISTRY } from "./answer.ts";
import { allowedAnswer, NOTHING_SUPPRESSED, type SuppressedCompanies } from "./suppression/suppressed.ts";

/** The part of a registry that lookups read; `info` is absent for test data. */
export interface LookupRegistry {
  readonly current:
    | (HoldsViews &
        Pick<Snapshot, "isFindable" | "facts" | "completing" | "search"> &
        Partial<Pick<Snapshot, "info">>)
    | undefined;
}

export interface CompaniesOptions {
  readonly registry: LookupRegistry;
  /** Absent: there is the snapshot alone. */
  readonly live?: LiveCompanies | undefined;
  /** How long the snapshot's word is believed where a live source could be asked, milliseconds. */
  readonly freshForMs: number;
  readonly suppressed?: SuppressedCompanies;
  /** Ends the message that a company is not known. */
  readonly absentHint?: string;
  readonly now?: () => number;
}

/**
 * The companies of the snapshot and of a live source together. The snapshot is asked first, and believed while it is fresh and
 * holds what is wanted; then what the source told before; then the source. Without an answer of it, what is held stands in,
 * however old.
 */
export class Companies {
  readonly #registry: LookupRegistry;
  readonly #live: LiveCompanies | undefined;
  readonly #freshForMs: number;
  readonly #suppressed: SuppressedCompanies;
  readonly #absentHint: Pick<Absent, "hint">;
  readonly #now: () => number;

  constructor({ registry, live, freshForMs, suppressed, absentHint, now }: CompaniesOptions) {
    this.#registry = registry;
    this.#live = live;
    this.#freshForMs = freshForMs;
    this.#suppressed = suppressed ?? NOTHING_SUPPRESSED;
    this.#absentHint = known("hint", absentHint);
    this.#now = now ?? Date.now;
  }

  /** How the live source is; undefined when there is none. */
  get liveHealth(): LiveHealth | undefined {
    return this.#live?.health;
  }

  /** Whether a live source is configured, which may have what the snapshot lacks. */
  get hasLiveSource(): boolean {
    return this.#live !== undefined;
  }

  /** What is known of the snapshot; undefined when there is none. */
  get snapshotInfo(): Snapshot["info"] | undefined {
    return this.#registry.current?.info;
  }

  get hasSnapshot(): boolean {
    return this.#registry.current !== undefined;
  }

  /** Whether names can be searched; true where there is no snapshot. */
  get isFindable(): boolean {
    return this.#registry.current?.isFindable !== false;
  }

  /** Whether there is anything that companies could be told from. */
  get hasSource(): boolean {
    return this.hasSnapshot || this.#live !== undefined;
  }

  /**
   * One company, in the order of every lookup: from memory at once; else by a promise from the store; else by paid work that asks the
   * live source, for which the caller waits `deadlineMs` at most.
   */
  lookUp<N extends Need>(
    need: N,
    kvkNumber: KvkNumber,
    maxAgeMs: number | undefined,
    deadlineMs: number,
  ): MaybeLater<LookupResult<ByNeed[N]>> {
    return this.atOnce(need, kvkNumber, maxAgeMs) ?? this.#lookFurther(need, kvkNumber, maxAgeMs, deadlineMs);
  }

  async #lookFurther<N extends Need>(
    need: N,
    kvkNumber: KvkNumber,
    maxAgeMs: number | undefined,
    deadlineMs: number,
  ): Promise<LookupResult<ByNeed[N]>> {
    const [stored] = await this.fromStore(need, [kvkNumber], maxAgeMs);
    if (stored !== undefined) return stored;
    return {
      kind: "paid-work",
      run: (accountId) => this.fromLive(need, kvkNumber, { accountId, deadlineMs, maxAgeMs }),
    };
  }

  /**
   * What can be told without asking anybody, the store included; undefined when somebody must be asked, which is never so without
   * a live source. `maxAgeMs` narrows how old it may be.
   */
  atOnce<N extends Need>(
    need: N,
    kvkNumber: KvkNumber,
    maxAgeMs = Number.POSITIVE_INFINITY,
  ): Answer<ByNeed[N]> | undefined {
    return allowedAnswer(this.#suppressed, kvkNumber, this.#inMemory(need, kvkNumber, maxAgeMs));
  }

  #inMemory<N extends Need>(need: N, kvkNumber: KvkNumber, maxAgeMs: number): Answer<ByNeed[N]> | undefined {
    const snapshot = this.#registry.current;
    const views: HoldsViews | undefined = snapshot;
    const found = views?.[need](kvkNumber);
    if (this.#live === undefined) {
      if (snapshot === undefined) return NO_REGISTRY;
      return found === undefined ? this.#absent(kvkNumber) : { kind: "found", found };
    }
    if (found !== undefined && snapshot !== undefined && VIEWS[need].isWhole(found)) {
      const date = snapshot.basic(kvkNumber)?.source?.cachedAt;
      if (this.#isYoung(date, maxAgeMs)) return { kind: "found", found };
    }
    const held = this.#live.held(kvkNumber);
    const isFresh = held !== undefined && this.#live.isFresh(held, maxAgeMs, need === "branches");
    return isFresh ? this.#told(need, kvkNumber, held, found === undefined) : undefined;
  }

  /**
   * The same with what the store holds, for many, in their order; undefined where the source must be asked. While nobody need
   * wait for the source that is nowhere: then what is held is told, however old.
   */
  async fromStore<N extends Need>(
    need: N,
    kvkNumbers: readonly KvkNumber[],
    maxAgeMs?: number,
  ): Promise<(Answer<ByNeed[N]> | undefined)[]> {
    await this.#live?.read(kvkNumbers);
    const cause = this.#live?.awayBecause;
    return kvkNumbers.map(
      (kvkNumber) =>
        this.atOnce(need, kvkNumber, maxAgeMs) ??
        (cause === undefined ? undefined : this.#whateverIsHeld(need, kvkNumber, cause)),
    );
  }

  /** By asking the source. @throws {StoreUnavailable} when what it told cannot be kept */
  async fromLive<N extends Need>(
    need: N,
    kvkNumber: KvkNumber,
    asking: Omit<Asking, "maxAgeMs"> & { readonly maxAgeMs?: number | undefined },
  ): Promise<Answer<ByNeed[N]>> {
    const { maxAgeMs = Number.POSITIVE_INFINITY } = asking;
    const atOnce = this.atOnce(need, kvkNumber, maxAgeMs);
    if (atOnce !== undefined) return atOnce;
    const live = this.#live;
    if (live === undefined) return NO_REGISTRY;
    const ask = { ...asking, maxAgeMs };
    const told =
      need === "branches" ? await live.branches(kvkNumber, ask) : await live.company(kvkNumber, ask);
    if (told.kind === "miss" && live.held(kvkNumber) === undefined) await live.read([kvkNumber]);
    const answer =
      told.kind === "hit"
        ? this.#told(need, kvkNumber, told.company)
        : this.#whateverIsHeld(need, kvkNumber, told.cause);
    // It may have been put on the list meanwhile.
    return allowedAnswer(this.#suppressed, kvkNumber, answer);
  }

  /** Whether the snapshot's word of a date needs no other. */
  #isYoung(date: string | undefined, maxAgeMs: number): boolean {
    return date !== undefined && this.#now() - Date.parse(date) <= Math.min(this.#freshForMs, maxAgeMs);
  }

  /** What the source's word comes to, with what the snapshot holds. A company that the source lacks may still stand in that. */
  #told<N extends Need>(
    need: N,
    kvkNumber: KvkNumber,
    held: CachedCompany,
    isAlone = false,
  ): Answer<ByNeed[N]> {
    const merged = isAlone ? this.#ofLive(held) : this.#merged(kvkNumber, held);
    return merged === undefined
      ? this.#absent(kvkNumber)
      : { kind: "found", found: VIEWS[need].ofFacts(merged) };
  }

  #whateverIsHeld<N extends Need>(need: N, kvkNumber: KvkNumber, cause: MissCause): Answer<ByNeed[N]> {
    const merged = this.#merged(kvkNumber, this.#live?.held(kvkNumber));
    const found = merged && VIEWS[need].ofFacts(merged);
    // An earlier "not found" is no word on today: the company may have been registered since.
    if (found === undefined || (need === "branches" && !VIEWS[need].isWhole(found))) {
      return { kind: "unavailable", cause };
    }
    return { kind: "found", found };
  }

  #merged(kvkNumber: KvkNumber, held: CachedCompany | undefined): MergedCompany | undefined {
    const snapshot = this.#registry.current;
    const inSnapshot = snapshot?.facts(kvkNumber);
    if (inSnapshot === undefined) return held && this.#ofLive(held);
    const live = held && this.#sourced(held);
    return mergeFacts(live === undefined ? [inSnapshot] : [inSnapshot, live]);
  }

  /** What the source alone says. */
  #ofLive(held: CachedCompany): MergedCompany | undefined {
    const live = this.#sourced(held);
    return live && { facts: live.facts, source: { kvk: live.origin, cachedAt: live.asOf } };
  }

  #sourced(held: CachedCompany): SourcedFacts | undefined {
    return this.#live && sourcedFrom(held, this.#live.origin);
  }
  #absent(kvkNumber: KvkNumber): Absent {
    return { kind: "absent", kvkNumber, ...this.#absentHint };
  }
}
