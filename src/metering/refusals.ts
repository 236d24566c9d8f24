import { LRUCache } from "lru-cache";
import type { LedgerOperation } from "../contract/prices.ts";
import type { Balance, RefusalCount } from "./store.ts";

/** A refusal is believed for at most this long: a change of tier or a revocation counts soon after. */
const BELIEVED_FOR_MS = 1_000;
/** More than can be over their window at once within a second, at 400 bytes each: 4 MB. */
const MAX_KEYS = 10_000;

interface Known {
  readonly balance: Balance;
  readonly isTest: true | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Keys that are over their window, so that a flood of calls is refused without a look at the store. */
export class RefusalMemory {
  readonly #now: () => number;
  readonly #known = new LRUCache<string, Known>({ max: MAX_KEYS });
  readonly #counts = new Map<string, RefusalCount>();

  constructor(now: () => number) {
    this.#now = now;
  }

  remember({ keyId, isTest }: Pick<RefusalCount, "keyId" | "isTest">, balance: Balance): void {
    const fromMs = this.#now();
    const untilMs = Math.min(balance.rateResetSeconds * 1_000, fromMs + BELIEVED_FOR_MS);
    this.#known.set(keyId, { balance, isTest, fromMs, untilMs });
  }

  /** The balance of a key that is known to be over its window, and one refusal more on its count. */
  refuse(keyId: string, operation: LedgerOperation): Balance | undefined {
    const known = this.#known.get(keyId);
    if (known === undefined) return undefined;
    const nowMs = this.#now();
    // A clock that was set back says nothing of how long ago the refusal was.
    if (nowMs >= known.untilMs || nowMs < known.fromMs) {
      this.#known.delete(keyId);
      return undefined;
    }
    this.count({ keyId, isTest: known.isTest, operation, count: 1 });
    return known.balance;
  }

  /** The counts since they were last taken. */
  take(): RefusalCount[] {
    const taken = [...this.#counts.values()];
    this.#counts.clear();
    return taken;
  }

  /** Adds to the counts. */
  count({ keyId, isTest, operation, count: more }: Omit<RefusalCount, "kind">): void {
    const id = `${keyId} ${operation}`;
    const count = (this.#counts.get(id)?.count ?? 0) + more;
    this.#counts.set(id, { kind: "refusals", keyId, isTest, operation, count });
  }
}
