import type { BatchRows } from "./batchRows.ts";

/**
 * A month of an account other than its current one, for a reservation that is settled late or after the clock went
 * back.
 */
export interface OtherMonth {
  readonly accountId: string;
  readonly month: number;
  used: number;
  reserved: number;
}

/** The other months that a batch reads and changes. */
export class OtherMonths {
  readonly #rows: BatchRows;
  readonly #months = new Map<string, OtherMonth>();

  constructor(rows: BatchRows) {
    this.#rows = rows;
  }

  get(accountId: string, month: number): OtherMonth {
    const id = `${accountId} ${month}`;
    let other = this.#months.get(id);
    if (other === undefined) {
      const used = this.#rows.usedIn(accountId, month);
      other = { accountId, month, used, reserved: this.#rows.reservedIn(accountId, month) };
      this.#months.set(id, other);
    }
    return other;
  }

  /** Charges an account in a month and releases reserved tokens. */
  spend(accountId: string, month: number, tokens: number, freed: number): void {
    const other = this.get(accountId, month);
    other.used += tokens;
    other.reserved -= freed;
  }

  /**
   * Returns changed months before the current one. A later month gets no row, because the account's latest row counts
   * as its current month; its use is in the ledger until the month comes.
   * @param currentOf returns the current month of an account
   */
  past(currentOf: (accountId: string) => number): readonly OtherMonth[] {
    return [...this.#months.values()].filter(({ accountId, month }) => month < currentOf(accountId));
  }
}
