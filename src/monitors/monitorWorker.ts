import { setTimeout as wait } from "node:timers/promises";
import type { TierTable } from "../contract/tiers.ts";
import type { CourtCases } from "../insolvency/types.ts";
import { LeasedLoop, type LeasedLoopOptions } from "../lib/leasedLoop.ts";
import type { Turn, TurnStore } from "../lib/turns.ts";
import { AnswerFeed } from "./answerFeed.ts";
import { Delivery, type DeliveryParts } from "./delivery.ts";
import type { Observer } from "./observer.ts";
import type { MonitorQueries } from "./queries.ts";
import { afterScan, type MonitorProgress, nextScan, progressIn } from "./scans.ts";

const POLL_EVERY_MS = 1_000;
/** How long a claim lasts. It is extended with each progress; after a crash another process continues the work. */
const LEASE_MS = 15_000;
/** How long a process keeps an idle claim. Then another one takes over, which may have a newer snapshot. */
const TURN_MS = 5_000;
/** How long a process keeps a claim while there is work. */
const MAX_TURN_MS = 60_000;
/** How long a scan runs before other work does. */
const PASS_STEP_MS = 500;
/** Companies compared at once: a few milliseconds of the state. */
const COMPANIES_AT_ONCE = 200;
const ALIGN_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 600_000;

export interface MonitorWorkerParts extends Pick<LeasedLoopOptions, "pollEveryMs" | "onError"> {
  readonly store: Pick<
    MonitorQueries,
    | "hasMonitorData"
    | "monitoredCompanies"
    | "answeredMonitored"
    | "changedInCourt"
    | "alignMonitors"
    | "dueAccounts"
    | "postponeAccount"
    | "sweepMonitors"
  >;
  readonly turns: Pick<TurnStore, "takeTurn" | "saveTurn" | "endTurn">;
  readonly observer: Pick<Observer, "serialMs" | "observe" | "compare">;
  /** The court's register; undefined without it. */
  readonly court?: Pick<CourtCases, "currency"> | undefined;
  readonly meter: DeliveryParts["meter"];
  readonly tiers: TierTable;
  /** How long events are stored, and changes of paused monitors. */
  readonly keepMs: number;
  readonly now: () => number;
  /** Called after a scan of all monitored companies, with the figures of this process. */
  readonly onCompared?: (scan: ScanFigures) => void;
}

export interface ScanFigures {
  readonly companies: number;
  readonly changes: number;
  readonly tookMs: number;
}

/** Returns the progress after a step, and whether there may be more to do. */
type Step = (
  progress: MonitorProgress,
) => Promise<{ readonly progress: MonitorProgress; readonly hasMore: boolean }>;

/**
 * Finds changes of monitored companies and delivers them. Every process runs a worker, but only one at a time has the
 * turn. If a process is killed, or continues after its claim expired, nothing is lost or repeated: a change is
 * recorded, and later delivered, in the transaction that removes its cause.
 */
export class MonitorWorker extends LeasedLoop<Turn> {
  readonly #parts: MonitorWorkerParts;
  readonly #delivery: Delivery;
  readonly #steps: readonly Step[];
  /** Ends the pause of an idle turn. */
  #wake = new AbortController();
  #alignedAtMs = Number.NEGATIVE_INFINITY;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  /** The scan that this process takes part in. */
  #scan: (ScanFigures & { readonly serialMs: number }) | undefined;

  constructor(parts: MonitorWorkerParts) {
    const { store, observer, court, meter, now, pollEveryMs = POLL_EVERY_MS } = parts;
    super({ ...parts, restMs: pollEveryMs });
    this.#parts = parts;
    this.#delivery = new Delivery({ store, meter, onError: (error) => this.report(error) });
    const answers = new AnswerFeed((sinceMs, limit) => store.answeredMonitored(sinceMs, limit));
    const changes = new AnswerFeed((sinceMs, limit) => store.changedInCourt(sinceMs, limit));
    this.#steps = [
      async (progress) => {
        const { kvkNumbers, untilMs, hasMore } = await answers.next(progress.answersUntilMs, now());
        await observer.observe(kvkNumbers);
        return { progress: { ...progress, answersUntilMs: untilMs }, hasMore };
      },
      async (progress) => {
        // Earlier, a part of the list may be missing: a company whose old case has ended may not have the new one yet.
        const listMs = court?.currency?.observedAtMs ?? 0;
        if (listMs <= progress.courtListMs) return { progress, hasMore: false };
        const { kvkNumbers, untilMs, hasMore } = await changes.next(progress.courtUntilMs, now());
        await observer.observe(kvkNumbers);
        const courtListMs = hasMore ? progress.courtListMs : listMs;
        return { progress: { ...progress, courtListMs, courtUntilMs: untilMs }, hasMore };
      },
      (progress) => this.#compareNext(progress),
      (progress) => this.#maintain(progress),
      async (progress) => ({ progress, hasMore: await this.#delivery.deliverSome(this.ending) }),
    ];
  }

  override nudge(): void {
    this.#wake.abort();
    super.nudge();
  }

  override close(): Promise<void> {
    this.#wake.abort();
    return super.close();
  }

  /**
   * Does all due work, and ends the turn once nothing was due for `idleMs`.
   * @returns false if another process has the turn
   * @throws {StoreUnavailable} (the promise). The claim then expires, and the saved progress is continued.
   */
  async runTurn(idleMs: number): Promise<boolean> {
    const turn = await this.#takeTurn();
    if (typeof turn === "object") await this.#runSteps(turn, idleMs);
    return typeof turn === "object";
  }

  protected override async claim(): Promise<Turn | number | undefined> {
    // A claim is a write to the state, which a service without monitors can save.
    return (await this.#parts.store.hasMonitorData()) ? this.#takeTurn() : undefined;
  }

  protected override run(turn: Turn): Promise<void> {
    return this.#runSteps(turn, TURN_MS);
  }

  #takeTurn(): Promise<Turn | number> {
    return this.#parts.turns.takeTurn("monitors", LEASE_MS, 0);
  }

  async #runSteps(taken: Turn, idleMs: number): Promise<void> {
    const { turns } = this.#parts;
    const begunMs = performance.now();
    const isWithin = (ms: number) => performance.now() < begunMs + ms && !this.ending.aborted;
    let turn = taken;
    let hasMore = true;
    while (isWithin(hasMore ? MAX_TURN_MS : idleMs)) {
      hasMore = false;
      for (const step of this.#steps) {
        if (this.ending.aborted) break;
        const before = progressIn(turn.cursor);
        const result = await step(before);
        hasMore ||= result.hasMore;
        const cursor = JSON.stringify(result.progress);
        if (cursor === JSON.stringify(before)) continue;
        turn = { ...turn, cursor };
        if (!(await turns.saveTurn(turn, LEASE_MS))) return;
      }
      if (!hasMore && isWithin(idleMs)) await this.#pause();
    }
    await turns.endTurn(turn, 0);
  }

  async #pause(): Promise<void> {
    if (this.#wake.signal.aborted && !this.ending.aborted) this.#wake = new AbortController();
    else {
      const { signal } = this.#wake;
      await wait(this.#parts.pollEveryMs ?? POLL_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Continues a scan of all monitored companies for a moment, in small parts. */
  async #compareNext(progress: MonitorProgress): ReturnType<Step> {
    const endMs = performance.now() + PASS_STEP_MS;
    let result = await this.#comparePart(progress);
    while (result.hasMore && performance.now() < endMs && !this.ending.aborted) {
      result = await this.#comparePart(result.progress);
    }
    return result;
  }

  async #comparePart(progress: MonitorProgress): ReturnType<Step> {
    const { store, observer, now, onCompared } = this.#parts;
    const { serialMs } = observer;
    const scan = nextScan(progress, serialMs, now());
    if (scan === undefined) return { progress, hasMore: false };
    const begunMs = performance.now();
    const companies = await store.monitoredCompanies(scan.scanAfter, COMPANIES_AT_ONCE);
    const { changes } = await observer.compare(companies);
    // Another snapshot was opened: they must be compared with that one.
    if (observer.serialMs !== serialMs) return { progress, hasMore: true };
    const isContinued = scan.scanAfter !== "" && this.#scan?.serialMs === serialMs;
    const before = isContinued && this.#scan ? this.#scan : { companies: 0, changes: 0, tookMs: 0 };
    const figures = {
      companies: before.companies + companies.length,
      changes: before.changes + changes,
      tookMs: before.tookMs + performance.now() - begunMs,
    };
    this.#scan = { ...figures, serialMs };
    const last = companies.at(-1);
    if (last !== undefined && companies.length === COMPANIES_AT_ONCE) {
      return { progress: { ...scan, scanAfter: last.kvkNumber }, hasMore: true };
    }
    this.#scan = undefined;
    onCompared?.(figures);
    return { progress: afterScan(scan, now()), hasMore: false };
  }

  /** Applies the limits of tiers to monitors and deletes old data, at intervals. */
  async #maintain(progress: MonitorProgress): ReturnType<Step> {
    const { store, tiers, keepMs } = this.#parts;
    const nowMs = performance.now();
    if (nowMs - this.#alignedAtMs >= ALIGN_EVERY_MS) {
      await store.alignMonitors(tiers);
      this.#alignedAtMs = nowMs;
    }
    if (nowMs - this.#sweptAtMs < SWEEP_EVERY_MS) return { progress, hasMore: false };
    const hasMore = await store.sweepMonitors(keepMs);
    if (!hasMore) this.#sweptAtMs = nowMs;
    return { progress, hasMore };
  }
}
