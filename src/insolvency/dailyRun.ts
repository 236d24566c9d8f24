import type { Turn, TurnEnd } from "../lib/turns.ts";
import type { CourtLoading } from "./loading.ts";

export interface DailyRunParts {
  readonly loading: Pick<CourtLoading, "step" | "listCalls">;
  /** When the next run is due after a moment, Unix milliseconds. */
  readonly nextRunMs: (nowMs: number) => number;
  /** Called with the reason when a run fails and is tried again later. */
  readonly onFailed: (reason: string) => void;
  /** Called when there is nothing to continue: the first load is a command's. */
  readonly onEmpty: () => void;
  readonly now?: () => number;
}

/** The name of the turns of the daily run and of the command that loads. */
export const COURT_TURN = "court";
/** Longer than a step. */
export const COURT_LEASE_MS = 300_000;
/** How long a step fetches cases. */
export const STEP_MS = 60_000;
/** The lists are heavy for the court. */
const MAX_LIST_CALLS_A_DAY = 6;
const MINUTE_MS = 60_000;
const FIRST_PAUSE_MS = 10 * MINUTE_MS;
const MAX_PAUSE_MS = 60 * MINUTE_MS;
const EMPTY_PAUSE_MS = 10 * MINUTE_MS;
/** Longer than the time between two runs: a later one was set by a wrong clock. */
const MAX_AHEAD_MS = 2 * 86_400_000;

/** Progress between two runs. */
interface Cursor {
  /** When the next run begins. */
  readonly nextMs: number;
  /** Whether the list of this run is still missing. */
  readonly isPending: boolean;
  readonly listCalls: number;
  readonly failures: number;
}

/** Brings the replica up to date once a day, one step per turn. */
export class DailyRun {
  readonly #parts: DailyRunParts;
  readonly #now: () => number;

  constructor(parts: DailyRunParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  async run(turn: Turn, ending: AbortSignal): Promise<TurnEnd> {
    const { loading, nextRunMs, onFailed, onEmpty } = this.#parts;
    const nowMs = this.#now();
    const fresh = { nextMs: nextRunMs(nowMs), isPending: true, listCalls: 0, failures: 0 };
    const before = readCursor(turn.cursor) ?? { ...fresh, isPending: false };
    const isDue = before.nextMs <= nowMs || before.nextMs > nowMs + MAX_AHEAD_MS;
    const at = isDue ? fresh : before;
    const callsBefore = loading.listCalls;
    const step = await loading.step({
      mayBegin: false,
      isNext: at.isPending,
      mayList: at.listCalls < MAX_LIST_CALLS_A_DAY,
      signal: ending,
      forMs: STEP_MS,
    });
    const listCalls = at.listCalls + loading.listCalls - callsBefore;
    const isPending = at.isPending && step.kind === "failed";
    const untilNextMs = Math.max(0, at.nextMs - this.#now());
    const ended = (waitMs: number, failures: number): TurnEnd => ({
      cursor: [at.nextMs, Number(isPending), listCalls, failures].join(" "),
      waitMs: Math.min(waitMs, untilNextMs),
    });
    if (step.kind === "working") return ended(0, at.failures);
    if (step.kind === "done") return ended(untilNextMs, 0);
    if (step.kind === "empty") {
      onEmpty();
      return ended(EMPTY_PAUSE_MS, 0);
    }
    if (!ending.aborted) onFailed(step.reason);
    return ended(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** at.failures), at.failures + 1);
  }
}

function readCursor(cursor: string): Cursor | undefined {
  const [nextMs, isPending, listCalls, failures] = cursor.split(" ").map(Number);
  if (nextMs === undefined || listCalls === undefined || failures === undefined) return undefined;
  return { nextMs, isPending: isPending === 1, listCalls, failures };
}
