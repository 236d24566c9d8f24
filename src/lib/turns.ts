import { LeasedLoop, type LeasedLoopOptions } from "./leasedLoop.ts";

/** A claim on work that one process of the service does at a time. */
export interface Turn {
  /** The name of the work, which may not change: the state keeps the work's progress under it. */
  readonly name: string;
  readonly claim: number;
  /** The progress that was last stored; empty at first. */
  readonly cursor: string;
}

/** Turns of all processes. Times are taken from the store's clock. */
export interface TurnStore {
  /**
   * Claims a turn for `leaseMs`. Even if the claiming process is killed, the next turn begins at least `everyMs` after
   * this one.
   * @param options `isDueNow`: even if it is not due
   * @returns the milliseconds until the turn may be free, if another process has it or it is not due
   */
  takeTurn(
    name: string,
    leaseMs: number,
    everyMs: number,
    options?: { readonly isDueNow?: boolean },
  ): Promise<Turn | number>;
  /**
   * Stores the cursor of a turn and extends its claim.
   * @returns false if the claim expired and another process has taken a later turn
   */
  saveTurn(turn: Turn, leaseMs: number): Promise<boolean>;
  /** Ends a turn and stores its cursor; the next one is due after `waitMs`. @returns as {@link saveTurn} */
  endTurn(turn: Turn, waitMs: number): Promise<boolean>;
  /** Ends all claims of turns and lists, whose processes were killed. When the next turns are due does not change. */
  freeLeases(): Promise<void>;
}

/** The result of a turn. */
export interface TurnEnd {
  /** The new cursor; unchanged if absent. */
  readonly cursor?: string;
  /** When the next turn is due, milliseconds. */
  readonly waitMs: number;
}

/** Work that processes do in turn. */
export interface TurnWork {
  /** Does the work of a turn. `ending` is aborted when the service stops. */
  run(turn: Turn, ending: AbortSignal): Promise<TurnEnd>;
}

export interface TurnLoopParts extends Pick<LeasedLoopOptions, "pollEveryMs" | "onError"> {
  readonly store: Pick<TurnStore, "takeTurn" | "endTurn">;
  readonly name: string;
  /** Minimum time between the starts of two turns of all processes, milliseconds. */
  readonly everyMs: number;
  /** Longer than a turn takes; after a crash another process continues. */
  readonly leaseMs: number;
  /** Whether this process should take a turn now; always by default. */
  readonly isReady?: () => boolean;
  readonly work: TurnWork;
}

const POLL_EVERY_MS = 5_000;
const NOT_READY_MS = 1_000;
const CLOSE_WITHIN_MS = 3_000;

/** Takes turns with the other processes of the service, and works in its own. */
export class TurnLoop extends LeasedLoop<Turn> {
  readonly #parts: TurnLoopParts;

  constructor(parts: TurnLoopParts) {
    super({ pollEveryMs: POLL_EVERY_MS, closeWithinMs: CLOSE_WITHIN_MS, restMs: 0, ...parts });
    this.#parts = parts;
  }

  protected override async claim(): Promise<Turn | number> {
    const { store, name, leaseMs, everyMs, isReady = () => true } = this.#parts;
    return isReady() ? store.takeTurn(name, leaseMs, everyMs) : NOT_READY_MS;
  }

  /**
   * If the service stops, the cursor is stored if that takes little time; otherwise another process repeats the work.
   */
  protected override async run(turn: Turn): Promise<void> {
    const { store, work } = this.#parts;
    const { cursor = turn.cursor, waitMs } = await work.run(turn, this.ending);
    await store.endTurn({ ...turn, cursor }, waitMs);
  }
}
