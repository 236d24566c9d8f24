import { withTimeout } from "../../lib/deadline.ts";
import type { Turn, TurnName, TurnStore } from "./store.ts";

/** The result of a turn. */
export interface TurnEnd {
  /** The new cursor; unchanged if absent. */
  readonly cursor?: string;
  /** When the next turn is due, milliseconds. */
  readonly waitMs: number;
}

export interface TurnLoopParts {
  readonly store: Pick<TurnStore, "takeTurn" | "endTurn">;
  readonly name: TurnName;
  /** Minimum time between the starts of two turns of all processes, milliseconds. */
  readonly everyMs: number;
  /** Longer than a turn takes; after a crash another process continues. */
  readonly leaseMs: number;
  /** Whether this process should take a turn now; always by default. */
  readonly isReady?: () => boolean;
  /** Does the work of a turn. `ending` is aborted when the service stops. */
  readonly run: (turn: Turn, ending: AbortSignal) => Promise<TurnEnd>;
  /** Called once per outage of the store. */
  readonly onError: (error: unknown) => void;
  /** Maximum time between two looks for a turn, milliseconds. */
  readonly lookEveryMs?: number;
}

const LOOK_EVERY_MS = 5_000;
const MIN_PAUSE_MS = 50;
/** Pause after the store failed. */
const FAILED_PAUSE_MS = 5_000;
const CLOSE_WITHIN_MS = 3_000;

/** Does the work of a source in turns, shared with the other processes of the service. */
export class TurnLoop {
  readonly #parts: TurnLoopParts;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #hasFailed = false;

  constructor(parts: TurnLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#look();
  }

  /** Ends the running turn. Its cursor is stored if that takes little time; otherwise another process repeats its work. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    if (this.#running !== undefined) await withTimeout(CLOSE_WITHIN_MS, this.#running);
  }

  #look(): void {
    this.#running = this.#next().then((pauseMs) => {
      this.#running = undefined;
      if (this.#ending.signal.aborted) return;
      this.#timer = setTimeout(() => this.#look(), Math.max(MIN_PAUSE_MS, pauseMs)).unref();
    });
  }

  /** Takes a turn if there is one. @returns the milliseconds to the next look. Never rejects. */
  async #next(): Promise<number> {
    const { store, name, leaseMs, everyMs, isReady = () => true, run, onError } = this.#parts;
    const { lookEveryMs = LOOK_EVERY_MS } = this.#parts;
    try {
      if (!isReady()) return Math.min(1_000, lookEveryMs);
      const turn = await store.takeTurn(name, leaseMs, everyMs);
      this.#hasFailed = false;
      if (typeof turn === "number") return Math.min(turn, lookEveryMs);
      const { cursor = turn.cursor, waitMs } = await run(turn, this.#ending.signal);
      await store.endTurn({ ...turn, cursor }, waitMs);
      return Math.min(waitMs, lookEveryMs);
    } catch (error) {
      if (!this.#hasFailed && !this.#ending.signal.aborted) onError(error);
      this.#hasFailed = true;
      return FAILED_PAUSE_MS;
    }
  }
}
