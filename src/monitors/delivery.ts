import type { DueAccount, MonitorStore } from "./store.ts";

/** Accounts that one step serves, and the changes of each. */
const ACCOUNTS_IN_A_STEP = 20;
const CHANGES_AT_ONCE = 100;
/** How long changes wait when there are no tokens for them. */
const WAIT_FOR_TOKENS_MS = 60_000;

/** Charges pending changes and records them as events, in one transaction of the meter. */
export type ChargeEvents = (
  request: Pick<DueAccount, "keyId" | "isTest" | "pendingIds">,
) => Promise<{ readonly outcome: string; readonly left?: number }>;

export interface DeliveryParts {
  readonly store: Pick<MonitorStore, "dueAccounts" | "postponeAccount">;
  readonly charge: ChargeEvents;
  /** Called when the changes of an account cannot be delivered. The others are. */
  readonly onError: (error: unknown) => void;
}

/** Delivers pending changes as events, those that have waited longest first. */
export class Delivery {
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** Delivers some changes. @returns whether there may be more; rejects with {@link StoreUnavailable} */
  async deliverSome(ends: AbortSignal): Promise<boolean> {
    const accounts = await this.#parts.store.dueAccounts(ACCOUNTS_IN_A_STEP, CHANGES_AT_ONCE);
    for (const group of groupsOf(accounts)) {
      if (ends.aborted) break;
      // In one charge batch.
      const delivered = await Promise.all(group.map((account) => this.#deliverTo(account)));
      for (const [index, account] of group.entries()) {
        if (delivered[index] === true) continue;
        await this.#parts.store.postponeAccount(account, WAIT_FOR_TOKENS_MS);
      }
    }
    return accounts.length > 0;
  }

  /** @returns false if changes must wait: the account has no tokens, or is suspended */
  async #deliverTo({ keyId, isTest, pendingIds }: DueAccount): Promise<boolean> {
    try {
      const decision = await this.#parts.charge({ keyId, isTest, pendingIds });
      return decision.outcome === "granted" && decision.left === 0;
    } catch (error) {
      this.#parts.onError(error);
      return false;
    }
  }
}

/** Groups accounts that have few changes, so that a charge batch stays small. */
function groupsOf(accounts: readonly DueAccount[]): readonly (readonly DueAccount[])[] {
  const groups: DueAccount[][] = [];
  let size = CHANGES_AT_ONCE;
  for (const account of accounts) {
    size += account.pendingIds.length;
    if (size > CHANGES_AT_ONCE) {
      groups.push([]);
      size = account.pendingIds.length;
    }
    groups.at(-1)?.push(account);
  }
  return groups;
}
