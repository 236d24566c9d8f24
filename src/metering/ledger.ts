import type { LedgerOperation } from "../contract/prices.ts";
import { dayInMonth } from "../lib/periods.ts";

/**
 * The figures of the ledger. Refusals are calls over the rate limit or the allowance. Failed calls have another error.
 * They are counted separately because they cost nothing, and a killed process may lose the last seconds of them.
 */
export interface Figures {
  readonly requests: number;
  readonly tokens: number;
  readonly refusedByRate: number;
  readonly refusedByAllowance: number;
  /** Typing sessions that began: one token each. */
  readonly sessions: number;
  /** Calls delivered in a session, including the first. */
  readonly sessionCalls: number;
  /** Failed because of the caller: bad input, an unknown company, a wrong path. */
  readonly failedByCaller: number;
  /** Failed because of the service or an upstream. */
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

/** Identifies a line of an account. */
export type LedgerLineId = Pick<LedgerLine, "day" | "keyId" | "operation">;

/** An addition to one line of the ledger, by a batch. */
export interface LedgerDelta extends Omit<LedgerLine, "failedByCaller" | "failedByService"> {
  readonly accountId: string;
}

/** Lines read at once: a few milliseconds of the state. */
export const LINES_PER_STEP = 500;

/** Lines summed at once: a few milliseconds of the state. */
export const LINES_PER_SUM = 1_000;

/** Sums per day and operation, per month (YYYY-MM), or per key. */
export type SummedBy = "day" | "month" | "key";

export interface LedgerSum extends Figures {
  /** The day, the month or the id of the key. */
  readonly group: string;
  /** Set for sums by day. */
  readonly operation?: LedgerOperation;
  /** The last day with a call. */
  readonly lastDay?: string;
}

export interface LedgerSums {
  readonly sums: readonly LedgerSum[];
  /** The last summed line; undefined when none is left. */
  readonly next?: LedgerLineId;
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

  /** Returns the line of a key's operation in a month, for adding to it. */
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
