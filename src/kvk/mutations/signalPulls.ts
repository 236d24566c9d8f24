import type { Turn, TurnEnd } from "../../lib/turns.ts";
import { isJsonObject } from "../../lib/values.ts";
import type { Found, NoLiveAnswer } from "../liveSource.ts";
import type { MonitorSourceQueries } from "../queries/monitorSources.ts";
import type { SignalPage } from "./readSignals.ts";

/** A page of the signals of a period. Unix milliseconds. */
export interface SignalQuery {
  readonly fromMs: number;
  readonly untilMs: number;
  /** From 1. */
  readonly page: number;
}

export interface SignalPullsParts {
  readonly source: {
    signals(query: SignalQuery, deadline: AbortSignal): Promise<Found<SignalPage> | NoLiveAnswer>;
  };
  readonly store: MonitorSourceQueries;
  /** Called when KVK refuses the subscription. */
  readonly onConfiguration: (reason: string) => void;
  readonly now?: () => number;
}

/** The progress that turns store. */
interface Progress {
  /** All signals before this moment were read. */
  readonly fromMs: number;
  /** The end of the period that is being read, and its next page. */
  readonly untilMs?: number;
  readonly page?: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The time between two readings. */
const PULL_EVERY_MS = MINUTE_MS;
/** The time between two pages, however many KVK says there are. */
const PAGE_EVERY_MS = 1_000;
/** KVK may show a signal some time after its own time, so each period begins before the end of the previous one. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** A period ends a little in the past: its pages must not change while they are read. */
const LAG_MS = MINUTE_MS;
/** After a downtime, signals are read in periods of this length. */
const MAX_PERIOD_MS = DAY_MS;
const DEADLINE_MS = 20_000;
/** Longer than the overlap, so that no signal is refreshed twice. */
const KEEP_COMPLETED_MS = 2 * DAY_MS;
/** A company that could not be refreshed for so long is skipped. */
const KEEP_MS = 30 * DAY_MS;

/**
 * Reads the signals of a subscription to KVK's Mutatieservice, one page per turn. The progress is stored after the
 * signals: after a crash a page is read again, and each signal is stored once by its id.
 */
export class SignalPulls {
  readonly #parts: SignalPullsParts;
  readonly #now: () => number;

  constructor(parts: SignalPullsParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  async run(turn: Turn, ending: AbortSignal): Promise<TurnEnd> {
    const { source, store, onConfiguration } = this.#parts;
    const nowMs = this.#now();
    const { fromMs, page = 1, ...progress } = this.#progressOf(turn.cursor, nowMs);
    const untilMs = progress.untilMs ?? Math.min(nowMs - LAG_MS, fromMs + MAX_PERIOD_MS);
    if (untilMs <= fromMs) return { cursor: JSON.stringify({ fromMs }), waitMs: PULL_EVERY_MS };
    const deadline = AbortSignal.any([ending, AbortSignal.timeout(DEADLINE_MS)]);
    const result = await source.signals({ fromMs: fromMs - OVERLAP_MS, untilMs, page }, deadline);
    if (result.kind === "no-answer") {
      if (result.cause === "configuration") onConfiguration(result.reason);
      return { waitMs: PULL_EVERY_MS };
    }
    const { signals, pages } = result.value;
    await store.storeSignals(signals);
    const next: Progress = page < pages ? { fromMs, untilMs, page: page + 1 } : { fromMs: untilMs };
    if (page >= pages) await store.sweepSignals(KEEP_COMPLETED_MS, KEEP_MS);
    const isBehind = page < pages || nowMs - LAG_MS - untilMs >= MINUTE_MS;
    return { cursor: JSON.stringify(next), waitMs: isBehind ? PAGE_EVERY_MS : PULL_EVERY_MS };
  }

  #progressOf(cursor: string, nowMs: number): Progress {
    const stored: unknown = cursor === "" ? undefined : JSON.parse(cursor);
    const { fromMs, untilMs, page } = isJsonObject(stored) ? stored : {};
    // Later than now: it was stored while the clock was wrong.
    if (typeof fromMs !== "number" || fromMs > nowMs) return { fromMs: nowMs - LAG_MS - MINUTE_MS };
    return typeof untilMs === "number" && typeof page === "number" ? { fromMs, untilMs, page } : { fromMs };
  }
}
