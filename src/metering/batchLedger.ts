import type { LedgerOperation } from "../contract/prices.ts";
import type { LedgerDelta } from "./batchRows.ts";
import type { KeyRow } from "./decide.ts";
import { dayInMonth } from "./periods.ts";

type OpenDelta = { -readonly [Name in keyof LedgerDelta]: LedgerDelta[Name] };

/** What a batch adds to the ledger, line by line. */
export class BatchLedger {
  readonly #nowMs: number;
  readonly #days = new Map<number, string>();
  readonly #lines = new Map<string, OpenDelta>();
  /** The line that was asked for last, and its month: calls that come together are mostly of one key and kind. */
  #last: { readonly line: OpenDelta; readonly month: number } | undefined;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  changes(): readonly LedgerDelta[] {
    return [...this.#lines.values()];
  }

  /** The line of a key's operation in a month, to be added to. */
  line(key: KeyRow, month: number, operation: LedgerOperation): OpenDelta {
    const last = this.#last;
    const isLast =
      last?.line.keyId === key.keyId && last.line.operation === operation && last.month === month;
    if (isLast) return last.line;
    const line = this.#line(key, month, operation);
    this.#last = { line, month };
    return line;
  }

  #line(key: KeyRow, month: number, operation: LedgerOperation): OpenDelta {
    const day = this.#day(month);
    const id = `${key.keyId} ${day} ${operation}`;
    let line = this.#lines.get(id);
    if (line === undefined) {
      line = {
        accountId: key.accountId,
        keyId: key.keyId,
        day,
        operation,
        requests: 0,
        tokens: 0,
        refusedByRate: 0,
        refusedByAllowance: 0,
        sessions: 0,
        sessionCalls: 0,
      };
      this.#lines.set(id, line);
    }
    return line;
  }

  #day(month: number): string {
    let day = this.#days.get(month);
    if (day === undefined) {
      day = dayInMonth(this.#nowMs, month);
      this.#days.set(month, day);
    }
    return day;
  }
}
