/** The number of paid calls per day that accounts of these tiers may use together, while accounts of other tiers exist. */
export interface FreeShare {
  readonly calls: number;
  readonly tierNames: readonly string[];
}

/** The paid calls of a day so far. */
export interface DayOfCalls {
  readonly all: number;
  /** Calls of accounts of these tiers, whether or not there were other accounts at the time. */
  readonly free: number;
}

/**
 * The state of one holder (a process, for one payer and day): its permits for calls in progress, each of which may become a
 * miss, and its misses so far. Always sent whole, so that sending it twice does no harm.
 */
export interface ActivePermits {
  /** Keyed hash of the payer's mail address. */
  readonly subject: string;
  readonly day: string;
  readonly holder: string;
  readonly inProgress: number;
  readonly misses: number;
  /** The number of additional permits requested. */
  readonly wanted: number;
  /** Maximum of misses and permits of the payer's day, over all holders. */
  readonly most: number;
  readonly nowMs: number;
  /** When its calls must have ended; permits that it still holds then count as misses. */
  readonly lapsesAtMs: number;
}

/** The store that counts paid calls, exactly over any number of processes. Days are YYYY-MM-DD. */
export interface CallStore {
  /** Counts one paid call of a day, unless `most` are counted already or `share` (for accounts of its tiers) is used up. */
  spendCall(day: string, limit: number, share?: FreeShare): Promise<"spent" | "day-over" | "share-over">;
  /** Takes back one paid call of a day. */
  refundCall(day: string, isOfShare: boolean): Promise<void>;
  spentCalls(day: string): Promise<DayOfCalls>;
  /** Whether there is an account of another tier. */
  hasAccountBeyond(tierNames: readonly string[]): Promise<boolean>;
  /** Stores a holder's state and grants it the permits that are left. `isOver`: even calls in progress cannot free a permit any more. */
  holdPermits(permits: ActivePermits): Promise<{ readonly granted: number; readonly isOver: boolean }>;
}
