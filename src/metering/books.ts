import { Batch } from "./batch.ts";
import type { BatchChanges, BatchRows } from "./batchRows.ts";
import type { ChargeRequest, Decision, FindTier } from "./store.ts";

/** What one transaction changes in the books of live keys and in those of test keys; absent for books that no request was about. */
export interface BookChanges {
  readonly live?: BatchChanges;
  readonly test?: BatchChanges;
}

/** Reads the rows of some books under the transaction. */
export type OpenBooks = (which: keyof BookChanges) => BatchRows;

/**
 * Decides the requests of one transaction in their order: those of test keys over books of their own, by the same rules. A key belongs to
 * one of the two for good, so what is decided of the one is no matter of the other.
 */
export class BooksBatch {
  readonly #open: OpenBooks;
  readonly #findTier: FindTier;
  #live: Batch | undefined;
  #test: Batch | undefined;

  constructor(open: OpenBooks, findTier: FindTier) {
    this.#open = open;
    this.#findTier = findTier;
  }

  decide(request: ChargeRequest): Decision {
    if (request.isTest === true) {
      this.#test ??= new Batch(this.#open("test"), this.#findTier);
      return this.#test.decide(request);
    }
    this.#live ??= new Batch(this.#open("live"), this.#findTier);
    return this.#live.decide(request);
  }

  changes(): BookChanges {
    return {
      ...(this.#live && { live: this.#live.changes() }),
      ...(this.#test && { test: this.#test.changes() }),
    };
  }
}
