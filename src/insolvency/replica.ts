import type { KvkNumber } from "../contract/numbers.ts";
import type { CourtQueries } from "./queries.ts";
import { dayOf, isWhole, shownCase } from "./rules.ts";
import type { CourtCase, CourtCases, Currency } from "./types.ts";

export interface CourtReplicaParts {
  readonly store: Pick<CourtQueries, "courtProgress" | "courtCases">;
  readonly suppressed: { has(kvkNumber: string): boolean };
  readonly onError: (error: unknown) => void;
  readonly pollEveryMs?: number;
  readonly now?: () => number;
}

const POLL_EVERY_MS = 3_000;
/** Between two loads, so many times as long as the last one took: a long run changes the replica all the time. */
const PAUSE_FACTOR = 10;
/** Some milliseconds of work. */
const PAGE = 200;
const MAX_AGE_MS = 3 * 86_400_000;
const NONE: readonly CourtCase[] = [];

/** The cases in memory. */
class Cases {
  readonly byNumber = new Map<KvkNumber, CourtCase[]>();
  readonly unplaced: CourtCase[] = [];
  readonly insolvent = new Set<KvkNumber>();
  readonly uncertain = new Set<KvkNumber>();
  count = 0;

  add(found: CourtCase): void {
    this.count += 1;
    const isOpen = found.endedOn === undefined;
    for (const kvkNumber of found.kvkNumbers) {
      listIn(this.byNumber, kvkNumber).push(found);
      if (found.since === undefined || found.isContinued === true) this.uncertain.add(kvkNumber);
      if (found.since !== undefined && isOpen) this.insolvent.add(kvkNumber);
    }
    if (found.kvkNumbers.length === 0 && isOpen) this.unplaced.push(found);
  }
}

/** The stored replica in the memory of this process. Changes by any process take effect within seconds. */
export class CourtReplica implements CourtCases {
  readonly #parts: CourtReplicaParts;
  readonly #now: () => number;
  #cases = new Cases();
  /** The version of the cases in memory. */
  #version = -1;
  #whole: { readonly isWhole: boolean; readonly observedAtMs: number } | undefined;
  #loadAgainMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: CourtReplicaParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** Reads the cases, and polls for changes. While they cannot be read there is no answer. */
  async follow(): Promise<void> {
    await this.read().catch((error: unknown) => this.#parts.onError(error));
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.follow(), this.#parts.pollEveryMs ?? POLL_EVERY_MS).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  get currency(): Currency | undefined {
    if (this.#whole === undefined) return undefined;
    const { isWhole: isStored, observedAtMs } = this.#whole;
    // A clock that jumps makes the replica old, never young.
    return { isCurrent: isStored && Math.abs(this.#now() - observedAtMs) < MAX_AGE_MS, observedAtMs };
  }

  get insolvent(): ReadonlySet<KvkNumber> {
    return this.#cases.insolvent;
  }

  get uncertain(): ReadonlySet<KvkNumber> {
    return this.#cases.uncertain;
  }

  get unplaced(): readonly CourtCase[] {
    return this.#cases.unplaced;
  }

  /** The number of cases. */
  get size(): number {
    return this.#cases.count;
  }

  casesOf(kvkNumber: KvkNumber): readonly CourtCase[] {
    return this.#parts.suppressed.has(kvkNumber) ? NONE : (this.#cases.byNumber.get(kvkNumber) ?? NONE);
  }

  /** Reads the cases if they have changed. @throws {StoreUnavailable} */
  async read(): Promise<void> {
    const { store } = this.#parts;
    const at = await store.courtProgress();
    if (at === undefined || at.completeAtMs === 0) return;
    // At once, because a mixture of two lists must not say that there is no case.
    if (!isWhole(at) && this.#whole !== undefined) this.#whole = { ...this.#whole, isWhole: false };
    if (at.version === this.#version || performance.now() < this.#loadAgainMs) return;
    const startMs = performance.now();
    const cases = await this.#load(
      dayOf(at.modifiedFrom || new Date(at.completeAtMs).toISOString()),
      new Set(at.held),
    );
    const isUnchanged = (await store.courtProgress())?.version === at.version;
    this.#cases = cases;
    this.#version = isUnchanged ? at.version : -1;
    this.#whole = { isWhole: isWhole(at) && isUnchanged, observedAtMs: at.completeAtMs };
    this.#loadAgainMs = performance.now() + PAUSE_FACTOR * (performance.now() - startMs);
  }

  async #load(day: string, held: ReadonlySet<string>): Promise<Cases> {
    const { store, suppressed } = this.#parts;
    const cases = new Cases();
    for (let after = ""; ; ) {
      const page = await store.courtCases(after, PAGE);
      for (const { found } of page) {
        const allowed = allowedCase(found, suppressed);
        const shown = allowed && shownCase(allowed, day, held.has(found.id));
        if (shown !== undefined) cases.add(shown);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = last.found.id;
    }
    for (const all of [...cases.byNumber.values(), cases.unplaced]) all.sort(newestFirst);
    return cases;
  }
}

/** A case without suppressed companies, and without what is for the load only. */
function allowedCase(
  found: CourtCase,
  suppressed: { has(kvkNumber: string): boolean },
): CourtCase | undefined {
  const publications: readonly string[] = [];
  if (found.kvkNumbers.length === 0) return { ...found, publications };
  const kvkNumbers = found.kvkNumbers.filter((kvkNumber) => !suppressed.has(kvkNumber));
  return kvkNumbers.length === 0
    ? undefined
    : { ...found, kvkNumbers, publications, names: [], addresses: [] };
}

function newestFirst(a: CourtCase, b: CourtCase): number {
  return (b.since ?? "").localeCompare(a.since ?? "");
}

function listIn(lists: Map<KvkNumber, CourtCase[]>, key: KvkNumber): CourtCase[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: CourtCase[] = [];
  lists.set(key, list);
  return list;
}
