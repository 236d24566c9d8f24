import type { HandedSnapshot } from "../../snapshot/snapshotFile.ts";
import type { OneThread } from "./oneThread.ts";

/** Hands snapshots of the registry to threads, and knows when all of them have one. */
export class Swaps {
  readonly #swaps = new Map<number, { readonly awaited: Set<OneThread>; readonly done: () => void }>();
  #count = 0;

  /** Fulfilled when all of them serve it, have told why they cannot, or have ended. */
  hand(snapshot: HandedSnapshot, threads: readonly OneThread[]): Promise<void> {
    const nth = ++this.#count;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#swaps.set(nth, { awaited: new Set(threads), done: resolve });
    for (const thread of threads) thread.order({ kind: "snapshot", snapshot, nth });
    this.#endIfAll(nth);
    return promise;
  }

  took(thread: OneThread, nth: number): void {
    this.#swaps.get(nth)?.awaited.delete(thread);
    this.#endIfAll(nth);
  }

  ended(thread: OneThread): void {
    for (const nth of this.#swaps.keys()) this.took(thread, nth);
  }

  #endIfAll(nth: number): void {
    const swap = this.#swaps.get(nth);
    if (swap === undefined || swap.awaited.size > 0) return;
    this.#swaps.delete(nth);
    swap.done();
  }
}
