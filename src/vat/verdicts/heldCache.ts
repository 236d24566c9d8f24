import { LeastRecentlyUsed } from "../../lib/leastRecentlyUsed.ts";
import type { Held } from "./store.ts";

/** A fresh verdict should cost no question to the store; the least recently used are let go. */
const MOST_HELD = 20_000;

/** What this process knows of what the store holds. Another process may know better: it is good for fresh ones only. */
export class HeldCache {
  readonly #held = new LeastRecentlyUsed<Held>(MOST_HELD);

  get(vatNumber: string): Held | undefined {
    return this.#held.get(vatNumber);
  }

  /** Notes what is held, unless something newer is known: a slow reading of the store may end after a newer answer was kept. */
  set(vatNumber: string, held: Held): void {
    const known = this.#held.peek(vatNumber);
    if (known !== undefined && known.last.receivedAtMs > held.last.receivedAtMs) return;
    this.#held.set(vatNumber, held);
  }
}
