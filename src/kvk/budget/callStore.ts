/** How many of a day's paid calls accounts of these tiers may cause together, while there is an account of another tier. */
export interface FreeShare {
  readonly calls: number;
  readonly tierNames: readonly string[];
}

/** A day's paid calls so far. */
export interface DayOfCalls {
  readonly all: number;
  /** Those of accounts that share; taken while no other account was there, they count as well. */
  readonly free: number;
}

/**
 * What one holder (a process, for one payer and day) has: places of calls under way, each of which may become a miss, and the
 * misses that it saw. Told whole each time, so that it may be told twice.
 */
export interface HeldPermits {
  /** Keyed hash of the payer's address. */
  readonly subject: string;
  readonly day: string;
  readonly holder: string;
  readonly underWay: number;
  readonly misses: number;
  /** How many places more it would have. */
  readonly wanted: number;
  /** Misses and calls under way of the payer's day, of all holders together. */
  readonly most: number;
  readonly nowMs: number;
  /** By then its calls have ended, if it lives; what it holds then counts as missed. */
  readonly lapsesAtMs: number;
}

/** What a store counts of paid calls. Days are YYYY-MM-DD. All of it is exact over any number of processes. */
export interface CallStore {
  /** Counts one paid call of a day, unless `most` are counted already or the share is used up. `share`: the caller's, if it has to share. */
  spendCall(day: string, most: number, share?: FreeShare): Promise<"spent" | "day-over" | "share-over">;
  /** Takes back one paid call of a day. */
  refundCall(day: string, isOfShare: boolean): Promise<void>;
  spentCalls(day: string): Promise<DayOfCalls>;
  /** Whether there is an account of a tier that is not one of these. */
  hasAccountBeyond(tierNames: readonly string[]): Promise<boolean>;
  /** Writes what a holder has, and gives it as many places more as are left. `isOver`: no call under way can make room any more. */
  holdPermits(held: HeldPermits): Promise<{ readonly granted: number; readonly isOver: boolean }>;
}
