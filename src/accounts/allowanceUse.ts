import type { AllowancePercent } from "../contract/accountRules.ts";
import type { TierTable } from "../contract/tiers.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { AllowanceCount, AllowanceNoticeStore, TierTokens } from "./allowanceNoticeStore.ts";

const LOOK_EVERY_MS = 300_000;
/** Accounts that one look passes over at once, so that no charge waits for long. */
export const ACCOUNTS_AT_ONCE = 500;
const PERCENTAGES: readonly AllowancePercent[] = [80, 100];

/** The tiers of a table that give any tokens. */
export function tiersWithTokens(tiers: TierTable): readonly TierTokens[] {
  return Object.entries(tiers)
    .map(([name, { monthlyTokens }]) => ({ name, tokens: monthlyTokens }))
    .filter(({ tokens }) => tokens > 0);
}

export interface AllowanceUseParts {
  readonly store: Pick<AllowanceNoticeStore, "allowanceCounts">;
  readonly tiers: TierTable;
  readonly lookEveryMs?: number;
}

/** Counts now and then how many accounts of each tier have used most of a month's allowance, or all of it. */
export class AllowanceUse {
  readonly #store: AllowanceUseParts["store"];
  readonly #tiers: readonly TierTokens[];
  readonly #looks: PeriodicWrite;
  #counts: readonly AllowanceCount[] | undefined;
  #isClosed = false;

  constructor({ store, tiers, lookEveryMs = LOOK_EVERY_MS }: AllowanceUseParts) {
    this.#store = store;
    this.#tiers = tiersWithTokens(tiers);
    this.#looks = new PeriodicWrite(() => this.#look(), lookEveryMs);
  }

  /** For each tier and percentage how many accounts have used so much or more; undefined while the last look has failed. */
  get counts(): readonly AllowanceCount[] | undefined {
    return this.#counts;
  }

  /** Looks now, unless that is under way. Never rejects. */
  look(): Promise<void> {
    return this.#looks.now();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#looks.close();
  }

  async #look(): Promise<void> {
    const sums = new Map<string, AllowanceCount>();
    for (const { name: tier } of this.#tiers) {
      for (const percent of PERCENTAGES) sums.set(`${tier} ${percent}`, { tier, percent, accounts: 0 });
    }
    try {
      for (let after: string | undefined = ""; after !== undefined; ) {
        if (this.#isClosed) return;
        const { counts, next } = await this.#store.allowanceCounts(this.#tiers, after, ACCOUNTS_AT_ONCE);
        for (const { tier, percent, accounts } of counts) {
          const before = sums.get(`${tier} ${percent}`)?.accounts ?? 0;
          sums.set(`${tier} ${percent}`, { tier, percent, accounts: before + accounts });
        }
        after = next;
      }
      this.#counts = [...sums.values()];
    } catch {
      // Whoever watches the state tells that it is away; counts of then are not told as those of now.
      this.#counts = undefined;
    }
  }
}
