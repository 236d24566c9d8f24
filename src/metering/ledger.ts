import type { LedgerOperation } from "../contract/prices.ts";
import { dayInMonth } from "./periods.ts";

/**
 * What the ledger counts. Refusals are calls over the rate, or beyond the allowance. Failed calls, which were answered with another error, are
 * counted beside it: they cost nothing, and a process that is killed may lose the last seconds of them.
 */
export interface Figures {
  readonly requests: number;
  readonly tokens: number;
  readonly refusedByRate: number;
  readonly refusedByAllowance: number;
  /** Sessions of typing that were begun: one token each. */
  readonly sessions: number;
  /** Calls that were delivered in one, those that began it among them. */
  readonly sessionCalls: number;
  /** With something of the caller's own: an input, a number of no company, a path. */
  readonly failedByCaller: number;
  /** With something of the service's or of an upstream's. */
  readonly failedByService: number;
}

export interface DayFigures extends Figures {
  /** YYYY-MM-DD, UTC */
  readonly day: string;
  readonly operation: LedgerOperation;
}

export interface KeyFigures extends Figures {
  readonly keyId: string;
}

/** One line of the ledger. */
export interface LedgerLine extends DayFigures, KeyFigures {}

/** Which line of an account it is. */
export type LedgerLineId = Pick<LedgerLine, "day" | "keyId" | "operation">;

/** An addition to one line of the ledger, by a batch. */
export interface LedgerDelta extends Omit<LedgerLine, "failedByCaller" | "failedByService"> {
  readonly accountId: string;
}

/** So many lines are read at once: some milliseconds of the state. */
export const LINES_IN_A_STEP = 500;

/** So many lines are added up at once: some milliseconds of the state. */
export const LINES_IN_A_SUM = 1_000;

/** A sum for each day and operation, each month (YYYY-MM) or each key. */
export type SummedBy = "day" | "month" | "key";

export interface LedgerSum extends Figures {
  /** The day, the month or the id of the key. */
  readonly of: string;
  /** Of a sum by day. */
  readonly operation?: LedgerOperation;
  /** The last day with a call. */
  readonly lastDay?: string;
}

export interface LedgerSums {
  readonly sums: readonly LedgerSum[];
  /** The last line that was added up; undefined when none is left behind it. */
  readonly next?: LedgerLineId;
}

/** Windows and months that were begun by a clock that was wrong, unless the clock is wrong now. Moments are Unix milliseconds. */
export interface AheadOfClock {
  readonly nowMs: number;
  /** When the latest of them begins. */
  readonly latestMs: number;
  /** Keys with such a window. */
  readonly keys: number;
  /** Accounts with such a month. */
  readonly accounts: number;
}

/** The ledger as its readers need it. Days are YYYY-MM-DD, UTC, both included. */
export interface LedgerStore {
  /**
   * Lines of an account, ordered by day, key and operation, each in the order of their characters: the first of them, or the next after one;
   * {@link LINES_IN_A_STEP} at most, fewer when none is left. See `ledgerReads.ts` for all.
   */
  lines(
    accountId: string,
    fromDay: string,
    toDay: string,
    after?: LedgerLineId,
  ): Promise<readonly LedgerLine[]>;
  /**
   * Sums of an account's lines, in no order: of the first of them, or the next after one; {@link LINES_IN_A_SUM} at most. See `ledgerReads.ts` for all.
   * @param keyIds these keys alone
   */
  sums(
    accountId: string,
    fromDay: string,
    toDay: string,
    by: SummedBy,
    after?: LedgerLineId,
    keyIds?: readonly string[],
  ): Promise<LedgerSums>;
  /** Sums of all accounts together, by day, in order; days without a line are absent. */
  traffic(
    fromDay: string,
  ): Promise<readonly (Figures & { readonly day: string; readonly accounts: number })[]>;
  /**
   * What an account has spent of its present month, by the store's clock and from the same rows that decide; `undefined` when
   * nothing was decided about it yet.
   */
  spent(accountId: string): Promise<{ readonly month: number; readonly used: number } | undefined>;
  /** What is ahead of the store's clock, so that it is taken back with its next call; `undefined` when nothing is. Looks at all. */
  aheadOfClock(): Promise<AheadOfClock | undefined>;
}

type OpenDelta = { -readonly [Name in keyof LedgerDelta]: LedgerDelta[Name] };

/** The lines that a batch adds to the ledger. */
export class BatchLedger {
  readonly #nowMs: number;
  readonly #lines = new Map<string, OpenDelta>();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  changes(): readonly LedgerDelta[] {
    return [...this.#lines.values()];
  }

  /** The line of a key's operation in a month, to be added to. */
  line(
    { keyId, accountId }: Pick<LedgerDelta, "keyId" | "accountId">,
    month: number,
    operation: LedgerOperation,
  ): OpenDelta {
    const id = `${keyId} ${month} ${operation}`;
    let line = this.#lines.get(id);
    if (line === undefined) {
      const none = { requests: 0, tokens: 0, refusedByRate: 0, refusedByAllowance: 0, sessions: 0 };
      line = { accountId, keyId, day: dayInMonth(this.#nowMs, month), operation, ...none, sessionCalls: 0 };
      this.#lines.set(id, line);
    }
    return line;
  }
}
