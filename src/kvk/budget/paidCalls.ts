/**
 * The number of paid calls per day that accounts of these tiers may use together, while accounts of other tiers exist.
 */
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
 * The state of one holder (a process, for one payer and day): its permits for calls in progress, each of which may
 * become a miss, and its misses so far. Always sent whole, so that sending it twice does no harm.
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
