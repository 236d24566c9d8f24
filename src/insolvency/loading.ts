import { setTimeout as pauseFor } from "node:timers/promises";
import type { CourtQueries } from "./queries.ts";
import { dayOf, isOverdue, isPlausible, isWhole } from "./rules.ts";
import type { CourtProgress } from "./stored.ts";
import type { Court, CourtAnswer, CourtList } from "./types.ts";

export interface CourtLoadingParts {
  readonly court: Court;
  readonly store: CourtQueries;
  /** Minimum time between the starts of two calls for cases, milliseconds. */
  readonly paceMs: number;
  /** Called after each case, with the number of cases that are still due. */
  readonly onCase?: (isStored: boolean, left: number) => void;
  /** Called when removals are held because they are too many. */
  readonly onHeld?: (cases: number) => void;
  readonly now?: () => number;
}

/**
 * The result of a step. `working`: there is more to do; `done`: the run of a list has ended; `failed`: try again later;
 * `empty`: nothing was ever loaded.
 */
export type CourtStep =
  | { readonly kind: "working" }
  | { readonly kind: "done" }
  | { readonly kind: "empty" }
  | { readonly kind: "failed"; readonly reason: string };

interface StepOptions {
  /** Whether it may begin the first load. */
  readonly mayBegin: boolean;
  /** Whether it begins with the next list, even if cases of the last one are still due. */
  readonly isNext: boolean;
  /** Whether it may ask for a list: those are heavy for the court. */
  readonly mayList: boolean;
  readonly signal: AbortSignal;
  /** About how long it fetches cases, milliseconds. */
  readonly forMs: number;
}

/** From here on the register is complete. */
const BEGIN = "2012-01-01";
const LIST_WITHIN_MS = 280_000;
const CASE_WITHIN_MS = 30_000;
const MAX_AT_ONCE = 2;
/** Failures in a row after which the court is left alone for a while. */
const MAX_FAILURES = 5;
const PAGE = 500;

const WORKING: CourtStep = { kind: "working" };
const failed = (reason: string): CourtStep => ({ kind: "failed", reason });

/**
 * Loads the court's register step by step: a list of changed cases, these cases, a list of removed cases. Each result
 * is stored at once, so that any process can continue.
 */
export class CourtLoading {
  readonly #parts: CourtLoadingParts;
  readonly #now: () => number;
  /** The last publication that was asked for; a failed one is asked for again after all others. */
  #after = "";
  /** The number of list calls so far. */
  listCalls = 0;

  constructor(parts: CourtLoadingParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** Does what comes next. @throws {StoreUnavailable} */
  async step({ mayBegin, isNext, mayList, signal, forMs }: StepOptions): Promise<CourtStep> {
    const { store } = this.#parts;
    const at = await store.courtProgress();
    const begins = at === undefined || (at.completeAtMs === 0 && at.modifiedFrom === "");
    if (begins && !mayBegin) return { kind: "empty" };
    if (at === undefined || at.modifiedFrom === "" || isNext) {
      return mayList ? this.#listModified(at, signal) : failed(TOO_MANY_LISTS);
    }
    if (isWhole(at)) return { kind: "done" };
    const left = await store.courtDue();
    const fetched = left === 0 ? WORKING : await this.#fetchDue(left, signal, performance.now() + forMs);
    if (fetched.kind === "failed" && !signal.aborted && at.needsRemovals && mayList) {
      // A case that was removed in the meantime has no answer.
      await this.#listRemoved(at, signal);
      // Deletions do not wait for it.
      await this.#finish((await store.courtProgress()) ?? at);
      return fetched;
    }
    if (left > 0 || fetched.kind === "failed") return fetched;
    if (!at.needsRemovals) return this.#finish(at);
    return mayList ? this.#listRemoved(at, signal) : failed(TOO_MANY_LISTS);
  }

  async #listModified(at: CourtProgress | undefined, signal: AbortSignal): Promise<CourtStep> {
    const { court, store } = this.#parts;
    const from = at?.modifiedFrom ?? "";
    const isFull = from === "";
    const answer = await this.#list((within) => court.modifiedSince(isFull ? BEGIN : from, within), signal);
    if (answer.kind === "expired" && !isFull) {
      await store.forgetHistory();
      return WORKING;
    }
    // Without any case of the whole country, something is wrong at the court.
    if (answer.kind === "none" && !isFull)
      return this.#storeModified({ items: [], extractedAt: from }, false);
    if (answer.kind !== "found") return failed(reasonOf(answer));
    if (isFull && answer.value.items.length === 0) return failed("the court listed no cases");
    if (!isPlausible(answer.value, isFull ? BEGIN : from, this.#now())) return failed(WRONG_DATE);
    return this.#storeModified(answer.value, isFull);
  }

  async #storeModified(list: CourtList<string>, isFull: boolean): Promise<CourtStep> {
    await this.#parts.store.storeModified(list, isFull);
    this.#after = "";
    return WORKING;
  }

  async #listRemoved({ removedFrom, held }: CourtProgress, signal: AbortSignal): Promise<CourtStep> {
    const { court, store, onHeld } = this.#parts;
    const answer = await this.#list((within) => court.removedSince(removedFrom, within), signal);
    if (answer.kind === "expired") {
      await store.forgetHistory();
      return WORKING;
    }
    if (answer.kind === "no-answer") return failed(answer.reason);
    const list = answer.kind === "found" ? answer.value : { items: [], extractedAt: removedFrom };
    if (!isPlausible(list, removedFrom, this.#now())) return failed(WRONG_DATE);
    const nowHeld = await store.storeRemoved(list);
    if (nowHeld > held.length) onHeld?.(nowHeld);
    return WORKING;
  }

  #list<Value>(
    ask: (signal: AbortSignal) => Promise<CourtAnswer<Value>>,
    signal: AbortSignal,
  ): Promise<CourtAnswer<Value>> {
    this.listCalls += 1;
    return ask(AbortSignal.any([signal, AbortSignal.timeout(LIST_WITHIN_MS)]));
  }

  /** Fetches due cases, two at once. @returns `failed` after several failures in a row, or if all that are left fail */
  async #fetchDue(due: number, signal: AbortSignal, untilMs: number): Promise<CourtStep> {
    const { store, paceMs, onCase } = this.#parts;
    const page = [...(await store.courtDueAfter(this.#after, PAGE))];
    const isLastPage = page.length < PAGE;
    let [left, failures, stored] = [due, 0, 0];
    let reason: string | undefined;
    let startMs = performance.now();
    const takeNext = async (): Promise<void> => {
      while (failures < MAX_FAILURES && !signal.aborted && performance.now() < untilMs) {
        const publication = page.shift();
        if (publication === undefined) return;
        this.#after = publication;
        startMs = Math.max(startMs + paceMs, performance.now());
        await pauseFor(Math.max(0, startMs - performance.now()), undefined, { signal }).catch(() => {});
        const problem = await this.#fetchCase(publication, signal);
        const isStored = problem === undefined;
        failures = isStored ? 0 : failures + 1;
        reason = problem ?? reason;
        stored += Number(isStored);
        left -= Number(isStored);
        onCase?.(isStored, left);
      }
    };
    const stop = (error: unknown): never => {
      // The state is unavailable: the other call is the last one too.
      page.length = 0;
      throw error;
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, () => takeNext().catch(stop)));
    const hasEnded = page.length === 0 && isLastPage;
    if (hasEnded) this.#after = "";
    const isStuck = failures >= MAX_FAILURES || (hasEnded && left > 0 && stored === 0);
    return reason !== undefined && isStuck ? failed(reason) : WORKING;
  }

  /** @returns why there is no answer */
  async #fetchCase(publication: string, signal: AbortSignal): Promise<string | undefined> {
    const { court, store } = this.#parts;
    const within = AbortSignal.any([signal, AbortSignal.timeout(CASE_WITHIN_MS)]);
    const answer = await court.caseOf(publication, within);
    if (answer.kind === "no-answer" || answer.kind === "expired") return reasonOf(answer);
    const isStored = await store.storeCase(publication, answer.kind === "found" ? answer.value : "none");
    return isStored ? undefined : `the court does not know ${publication}, which it has listed`;
  }

  async #finish({ modifiedFrom, loadMs, completeAtMs, held }: CourtProgress): Promise<CourtStep> {
    const { store, onHeld } = this.#parts;
    const ids: string[] = [];
    for (let after = ""; ; ) {
      const cases = await store.courtCases(after, PAGE);
      const last = cases.at(-1);
      for (const { found, listMs } of cases) {
        if (listMs < loadMs || isOverdue(found, dayOf(modifiedFrom), listMs <= completeAtMs))
          ids.push(found.id);
      }
      if (last === undefined || cases.length < PAGE) break;
      after = last.found.id;
    }
    const nowHeld = await store.finishRun(ids);
    if (nowHeld > held.length) onHeld?.(nowHeld);
    return { kind: "done" };
  }
}

const TOO_MANY_LISTS = "the court was asked for enough lists today";
const WRONG_DATE = "the date of the court's list cannot be right: check this machine's clock";

function reasonOf(answer: Exclude<CourtAnswer<unknown>, { readonly kind: "found" }>): string {
  if (answer.kind === "no-answer") return answer.reason;
  return answer.kind === "none" ? "the court listed no cases" : "the court says that its history has expired";
}
