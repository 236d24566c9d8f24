import { LeastRecentlyUsed } from "../../lib/leastRecentlyUsed.ts";

/** As many as accounts are kept of keys, at 200 bytes each. */
const MOST_ACCOUNTS = 100_000;
/** A tab is opened for an account whose key was granted calls in so many batches one after the other. */
const BATCHES_BEFORE = 4;
/** It pays off from so many charges on: an account whose tab was closed sooner has to wait for its next one twice as long as before. */
const WORTH_CHARGES = 64;
const MOST_BATCHES_BEFORE = 4_096;

interface Known {
  keyId: string;
  isOpen: boolean;
  /** Batches in which its calls were granted without a tab, one after the other. */
  granted: number;
  charged: number;
  batchesBefore: number;
}

/**
 * What a node knows of the tabs of accounts, from what its batches were told. It only saves looking: the database alone knows which tabs are open.
 */
export class KnownTabs {
  readonly #batchesBefore: number;
  readonly #accounts = new LeastRecentlyUsed<Known>(MOST_ACCOUNTS);

  /** @param batchesBefore tests only: the least number of batches before a tab; with 0 the second opens it, whatever closed the last one */
  constructor(batchesBefore = BATCHES_BEFORE) {
    this.#batchesBefore = batchesBefore;
  }

  /** Whether the account's tab was open when it was heard of last, for calls with this key or with any. */
  isOpen(accountId: string, keyId?: string): boolean {
    const known = this.#accounts.get(accountId);
    return known?.isOpen === true && (keyId === undefined || known.keyId === keyId);
  }

  /** Whether a tab is to be opened with this batch, if it is granted. */
  isDue(accountId: string, keyId: string): boolean {
    const known = this.#accounts.get(accountId);
    return (
      known !== undefined &&
      known.keyId === keyId &&
      !known.isOpen &&
      known.granted + 1 >= known.batchesBefore
    );
  }

  /** Notes a batch in which calls of the account were granted without a tab. */
  granted(accountId: string, keyId: string): void {
    const known = this.#of(accountId, keyId);
    if (known.keyId === keyId) known.granted += 1;
    else {
      known.keyId = keyId;
      known.granted = 1;
    }
  }

  /** Notes that a tab is open, as the database told. */
  opened(accountId: string, keyId: string): void {
    const known = this.#of(accountId, keyId);
    known.keyId = keyId;
    known.isOpen = true;
    known.granted = 0;
    known.charged = 0;
  }

  charged(accountId: string): void {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) known.charged += 1;
  }

  /** Notes that something else than calls with one key was asked of the account. */
  interrupted(accountId: string): void {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) known.granted = 0;
  }

  /** Notes that the database was asked to open a tab, if it told of none. */
  notOpened(accountId: string): void {
    const known = this.#accounts.get(accountId);
    if (known !== undefined && !known.isOpen) this.#putOff(known, known.batchesBefore * 2);
  }

  /** Notes that the account's tab is closed, or will be by what comes next. */
  closed(accountId: string): void {
    const known = this.#accounts.get(accountId);
    if (known?.isOpen !== true) return;
    known.isOpen = false;
    this.#putOff(known, known.charged >= WORTH_CHARGES ? this.#batchesBefore : known.batchesBefore * 2);
  }

  #putOff(known: Known, batchesBefore: number): void {
    known.granted = 0;
    known.batchesBefore = Math.min(batchesBefore, MOST_BATCHES_BEFORE);
  }

  #of(accountId: string, keyId: string): Known {
    return this.#accounts.getOrMake(accountId, () => ({
      keyId,
      isOpen: false,
      granted: 0,
      charged: 0,
      batchesBefore: this.#batchesBefore,
    }));
  }
}
