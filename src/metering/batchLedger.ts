import type { LedgerOperation } from "../contract/prices.ts";
import type { LedgerDelta } from "./batchRows.ts";
import type { KeyRow } from "./decide.ts";
import { dayInMonth } from "./periods.ts";

type OpenDelta = { -readonly [Name in keyof LedgerDelta]: LedgerDelta[Name] };

/** What a batch adds to the ledger, line by line. */
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
  line({ keyId, accountId }: KeyRow, month: number, operation: LedgerOperation): OpenDelta {
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
