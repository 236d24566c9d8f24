import { StoreUnavailable } from "../../src/lib/storeErrors.ts";
import { type AccountRow, balanceOf, decide, type KeyRow } from "../../src/metering/decide.ts";
import type { CallRequest, ChargeRequest, Decision, MeteringStore } from "../../src/metering/store.ts";

export const TIER = { monthlyTokens: 5, ratePerMinute: 8 };
export const NOW_MS = Date.UTC(2026, 4, 5, 12, 0, 30);

/** A store of one key that decides by the rules and writes each batch when the test allows it. */
export class GatedStore implements MeteringStore {
  readonly batches: (readonly ChargeRequest[])[] = [];
  isUnreachable = false;
  #gates: (() => void)[] = [];
  #key: KeyRow = { keyId: "key_1", accountId: "acc_1", isRevoked: false, minute: 0, callsInMinute: 0 };
  #account: AccountRow = {
    accountId: "acc_1",
    tierName: "t",
    isSuspended: false,
    month: 0,
    used: 0,
    reserved: 0,
  };

  async apply(requests: readonly ChargeRequest[]): Promise<readonly Decision[]> {
    this.batches.push(requests);
    await new Promise<void>((resolve) => this.#gates.push(resolve));
    if (this.isUnreachable) throw new StoreUnavailable("the test says so");
    return requests.map((request) => this.#decide(request));
  }

  readonly findKeys = async () => [];

  /** Completes the current batch, and waits until its callers have their results and the next one has begun. */
  async finish(): Promise<void> {
    await nextTurn();
    this.#gates.shift()?.();
    await nextTurn();
  }

  #decide(request: ChargeRequest): Decision {
    const cost = request.kind === "call" ? request : { price: 0, charge: 0 };
    const isCounted = request.kind !== "refusals";
    const { outcome, charged, key, account } = decide(this.#key, this.#account, TIER, NOW_MS, {
      price: cost.price,
      charge: cost.charge,
      reserves: false,
    });
    if (isCounted) {
      this.#key = key;
      this.#account = account;
    }
    const balance = balanceOf(key, account, TIER, NOW_MS);
    if (outcome === "granted" || !isCounted) return { outcome: "granted", charged, balance };
    return outcome === "revoked" ? { outcome } : { outcome, balance };
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

export function call(keyId = "key_1", price = 1): CallRequest {
  return { kind: "call", keyId, operation: "lookup", price, charge: price };
}
