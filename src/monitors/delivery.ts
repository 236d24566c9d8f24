import type { EventDelivery } from "../metering/store.ts";
import type { MonitorQueries } from "./queries.ts";
import type { DueAccount } from "./stored.ts";

/** Accounts per step, and changes per account. */
const ACCOUNTS_IN_A_STEP = 20;
const CHANGES_AT_ONCE = 100;
/** How long changes wait when their account has no tokens left. */
const WAIT_FOR_TOKENS_MS = 60_000;

export interface DeliveryParts {
  readonly store: Pick<MonitorQueries, "dueAccounts" | "postponeAccount">;
  /** Charges pending changes and records them as events, in one transaction. */
  readonly meter: {
    decideUnawaited(changes: EventDelivery): Promise<{ readonly outcome: string; readonly left?: number }>;
  };
  /** Called when the changes of one account cannot be delivered. Those of other accounts are. */
  readonly onError: (error: unknown) => void;
}

/** Delivers pending changes as events, the oldest first. */
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
        const outcome = delivered[index];
        if (outcome === "all") continue;
        await this.#parts.store.postponeAccount(account, WAIT_FOR_TOKENS_MS, outcome === "some");
      }
    }
    return accounts.length > 0;
  }

  /** @returns `some` if the account lacks tokens for the rest, `none` if it is suspended or the delivery failed */
  async #deliverTo({ keyId, isTest, pendingIds }: DueAccount): Promise<"all" | "some" | "none"> {
    try {
      const changes = { kind: "events", operation: "monitors.change", keyId, isTest, pendingIds } as const;
      const decision = await this.#parts.meter.decideUnawaited(changes);
      if (decision.outcome !== "granted") return "none";
      return decision.left === 0 ? "all" : "some";
    } catch (error) {
      this.#parts.onError(error);
      return "none";
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
