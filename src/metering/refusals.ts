import type { LedgerOperation } from "../contract/prices.ts";
import { boundedCache } from "../lib/boundedCache.ts";
import type { Balance, RefusalCount } from "./store.ts";

/** How long a refusal is remembered; short, so that a change of tier or a revocation takes effect soon. */
const REMEMBERED_FOR_MS = 1_000;
/** More keys than can go over their limit within a second, 400 bytes each: 4 MB. */
const MAX_KEYS = 10_000;

interface RememberedRefusal {
  readonly balance: Balance;
  readonly isTest: true | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Remembers keys over their rate limit, so that a flood of calls is refused without asking the store. */
export class RefusalMemory {
  readonly #now: () => number;
  readonly #refusals = boundedCache<string, RememberedRefusal>(MAX_KEYS);
  readonly #counts = new Map<string, RefusalCount>();

  constructor(now: () => number) {
    this.#now = now;
  }

  remember({ keyId, isTest }: Pick<RefusalCount, "keyId" | "isTest">, balance: Balance): void {
    const fromMs = this.#now();
    const untilMs = Math.min(balance.rateResetSeconds * 1_000, fromMs + REMEMBERED_FOR_MS);
    this.#refusals.set(keyId, { balance, isTest, fromMs, untilMs });
  }

  /** Returns the balance of a key that is known to be over its limit, and counts a refusal. */
  refuse(keyId: string, operation: LedgerOperation): Balance | undefined {
    const refusal = this.#refusals.get(keyId);
    if (refusal === undefined) return undefined;
    const nowMs = this.#now();
    // After the clock was set back, the age of the refusal is unknown.
    if (nowMs >= refusal.untilMs || nowMs < refusal.fromMs) {
      this.#refusals.delete(keyId);
      return undefined;
    }
    this.count({ keyId, isTest: refusal.isTest, operation, count: 1 });
    return refusal.balance;
  }

  /** Returns the counts and resets them. */
  takeCounts(): RefusalCount[] {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    return counts;
  }

  /** Adds to the counts. */
  count({ keyId, isTest, operation, count: added }: Omit<RefusalCount, "kind">): void {
    const id = `${keyId} ${operation}`;
    const count = (this.#counts.get(id)?.count ?? 0) + added;
    this.#counts.set(id, { kind: "refusals", keyId, isTest, operation, count });
  }
}
