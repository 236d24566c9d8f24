import { setTimeout as wait } from "node:timers/promises";
import type { TierTable } from "../contract/tiers.ts";
import { withTimeout } from "../lib/deadline.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import { AnswerFeed, type FeedPage } from "./answerFeed.ts";
import { type ChargeEvents, Delivery } from "./delivery.ts";
import type { Observer } from "./observer.ts";
import { afterPass, nextPass } from "./passes.ts";
import type { MonitorRound, MonitorStore } from "./store.ts";

const POLL_EVERY_MS = 1_000;
/** Pause after the store failed. */
const FAILED_PAUSE_MS = 5_000;
const CLOSE_WITHIN_MS = 10_000;
/** How long a claim lasts. It is extended with each progress; after a crash another process claims the round. */
const LEASE_MS = 15_000;
/** A claim is passed on after this time if there is nothing to do: another process may have a newer snapshot. */
const TURN_MS = 5_000;
/** The same while there is work. */
const MAX_TURN_MS = 60_000;
/** How long a pass is continued before other work gets its turn. */
const PASS_STEP_MS = 500;
/** Companies compared at once: a few milliseconds of the state. */
const COMPANIES_AT_ONCE = 200;
const ALIGN_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 600_000;

export interface MonitorWorkerParts {
  readonly store: Pick<
    MonitorStore,
    | "hasMonitorData"
    | "claimRound"
    | "saveRound"
    | "monitoredCompanies"
    | "answeredMonitored"
    | "openDataSince"
    | "alignMonitors"
    | "dueAccounts"
    | "postponeAccount"
    | "sweepMonitors"
  >;
  readonly observer: Pick<Observer, "serialMs" | "observe" | "compare">;
  readonly charge: ChargeEvents;
  readonly tiers: TierTable;
  /** How long events are stored, and changes of paused monitors. */
  readonly keepMs: number;
  readonly now: () => number;
  /** Called when all monitored companies were compared, with the part of this process. */
  readonly onCompared?: (pass: PassFigures) => void;
  /** Called once per outage of the store. */
  readonly onError: (error: unknown) => void;
  readonly lookEveryMs?: number;
}

export interface PassFigures {
  readonly companies: number;
  readonly changes: number;
  readonly tookMs: number;
}

/** Returns the round after a step, and whether there may be more to do. */
type Step = (round: MonitorRound) => Promise<{ readonly round: MonitorRound; readonly hasMore: boolean }>;

/**
 * Finds changes of monitored companies and delivers them. Every process runs one; one at a time claims the round. A process that is killed, or that
 * continues after its claim is over, loses and repeats nothing: each change is recorded, and delivered, in the transaction that removes its cause.
 */
export class MonitorWorker {
  readonly #parts: MonitorWorkerParts;
  readonly #ends = new AbortController();
  readonly #delivery: Delivery;
  readonly #steps: readonly Step[];
  #rounds: PeriodicWrite | undefined;
  /** Ends the pause of an idle turn. */
  #wake = new AbortController();
  #hasFailed = false;
  #pausedUntilMs = 0;
  #alignedAtMs = Number.NEGATIVE_INFINITY;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  /** The pass that this process takes part in. */
  #pass: (PassFigures & { readonly serialMs: number }) | undefined;

  constructor(parts: MonitorWorkerParts) {
    const { store, charge } = parts;
    this.#parts = parts;
    this.#delivery = new Delivery({ store, charge, onError: (error) => this.#report(error) });
    const answers = new AnswerFeed((sinceMs, limit) => store.answeredMonitored(sinceMs, limit));
    const openData = new AnswerFeed((sinceMs, limit) => store.openDataSince(sinceMs, limit));
    this.#steps = [
      async (round) => {
        const { untilMs, hasMore } = await this.#observeNext(answers, round.liveUntilMs);
        return { round: { ...round, liveUntilMs: untilMs }, hasMore };
      },
      async (round) => {
        const { untilMs, hasMore } = await this.#observeNext(openData, round.openDataUntilMs);
        return { round: { ...round, openDataUntilMs: untilMs }, hasMore };
      },
      (round) => this.#compareNext(round),
      (round) => this.#maintain(round),
      async (round) => ({ round, hasMore: await this.#delivery.deliverSome(this.#ends.signal) }),
    ];
  }

  /** Looks for work now: at the start, and when there may be some. */
  nudge(): void {
    if (this.#ends.signal.aborted) return;
    this.#wake.abort();
    this.#rounds ??= new PeriodicWrite(() => this.#runTurnSafely(), this.#parts.lookEveryMs ?? POLL_EVERY_MS);
    void this.#rounds.now();
  }

  /** Ends after the current step. Another process or the next start continues. */
  async close(): Promise<void> {
    this.#ends.abort();
    this.#wake.abort();
    if (this.#rounds !== undefined) await withTimeout(CLOSE_WITHIN_MS, this.#rounds.close());
  }

  /**
   * Claims the round, does all that is due, and passes the claim on when nothing was due for `idleMs`.
   * @returns false if another process has claimed it
   * @throws {StoreUnavailable} (the promise). The claim then expires, and the saved progress is continued.
   */
  async runTurn(idleMs: number): Promise<boolean> {
    const round = await this.#parts.store.claimRound(LEASE_MS);
    if (round !== undefined) await this.#runClaimed(round, idleMs);
    return round !== undefined;
  }

  async #runTurnSafely(): Promise<void> {
    if (this.#ends.signal.aborted || performance.now() < this.#pausedUntilMs) return;
    try {
      // A claim is written to the state, so a service without monitors makes none.
      if (await this.#parts.store.hasMonitorData()) await this.runTurn(TURN_MS);
      this.#hasFailed = false;
    } catch (error) {
      this.#report(error);
      this.#pausedUntilMs = performance.now() + FAILED_PAUSE_MS;
    }
  }

  #report(error: unknown): void {
    if (!this.#hasFailed && !this.#ends.signal.aborted) this.#parts.onError(error);
    this.#hasFailed = true;
  }

  async #runClaimed(claimed: MonitorRound, idleMs: number): Promise<void> {
    const begunMs = performance.now();
    const isWithin = (ms: number) => performance.now() < begunMs + ms && !this.#ends.signal.aborted;
    let round = claimed;
    let hasMore = true;
    while (isWithin(hasMore ? MAX_TURN_MS : idleMs)) {
      hasMore = false;
      for (const step of this.#steps) {
        if (this.#ends.signal.aborted) break;
        const result = await step(round);
        hasMore ||= result.hasMore;
        if (!isSameProgress(round, result.round)) {
          if (!(await this.#parts.store.saveRound(result.round, LEASE_MS))) return;
          round = result.round;
        }
      }
      if (!hasMore && isWithin(idleMs)) await this.#pause();
    }
    await this.#parts.store.saveRound(round, 0);
  }

  async #pause(): Promise<void> {
    if (this.#wake.signal.aborted && !this.#ends.signal.aborted) this.#wake = new AbortController();
    else {
      const { signal } = this.#wake;
      await wait(this.#parts.lookEveryMs ?? POLL_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #observeNext(feed: AnswerFeed, untilMs: number): Promise<FeedPage> {
    const page = await feed.next(untilMs, this.#parts.now());
    await this.#parts.observer.observe(page.kvkNumbers);
    return page;
  }

  /** Continues a pass over all monitored companies for a moment, in small parts. */
  async #compareNext(round: MonitorRound): ReturnType<Step> {
    const endMs = performance.now() + PASS_STEP_MS;
    let result = await this.#comparePart(round);
    while (result.hasMore && performance.now() < endMs && !this.#ends.signal.aborted) {
      result = await this.#comparePart(result.round);
    }
    return result;
  }

  async #comparePart(round: MonitorRound): ReturnType<Step> {
    const { store, observer, now, onCompared } = this.#parts;
    const { serialMs } = observer;
    const pass = nextPass(round, serialMs, now());
    if (pass === undefined) return { round, hasMore: false };
    const begunMs = performance.now();
    const companies = await store.monitoredCompanies(pass.passAfter, COMPANIES_AT_ONCE);
    const { changes } = await observer.compare(companies);
    // Another snapshot was opened: they must be compared with that one.
    if (observer.serialMs !== serialMs) return { round, hasMore: true };
    const isContinued = pass.passAfter !== "" && this.#pass?.serialMs === serialMs;
    const before = isContinued && this.#pass ? this.#pass : { companies: 0, changes: 0, tookMs: 0 };
    const figures = {
      companies: before.companies + companies.length,
      changes: before.changes + changes,
      tookMs: before.tookMs + performance.now() - begunMs,
    };
    this.#pass = { ...figures, serialMs };
    const last = companies.at(-1);
    if (last !== undefined && companies.length === COMPANIES_AT_ONCE) {
      return { round: { ...pass, passAfter: last.kvkNumber }, hasMore: true };
    }
    this.#pass = undefined;
    onCompared?.(figures);
    return { round: afterPass(pass, now()), hasMore: false };
  }

  /** Applies the limits of tiers to monitors, and deletes old data, from time to time. */
  async #maintain(round: MonitorRound): ReturnType<Step> {
    const { store, tiers, keepMs } = this.#parts;
    const nowMs = performance.now();
    if (nowMs - this.#alignedAtMs >= ALIGN_EVERY_MS) {
      await store.alignMonitors(tiers);
      this.#alignedAtMs = nowMs;
    }
    if (nowMs - this.#sweptAtMs < SWEEP_EVERY_MS) return { round, hasMore: false };
    const hasMore = await store.sweepMonitors(keepMs);
    if (!hasMore) this.#sweptAtMs = nowMs;
    return { round, hasMore };
  }
}

function isSameProgress(one: MonitorRound, other: MonitorRound): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
