/** Counts the accounts that have used most or all of a month's allowance, for operators. */

import type { AllowancePercent } from "../contract/accountRules.ts";
import type { TierTable } from "../contract/tiers.ts";
import { PeriodicWrite } from "../lib/periodicWrite.ts";
import type { AllowanceCount, AllowanceNoticeQueries, TierTokens } from "./queries/allowanceNotices.ts";

const COUNTS_EVERY_MS = 300_000;
/** Accounts checked in one step, so that charges do not wait long. */
export const ACCOUNTS_PER_STEP = 500;
const PERCENTAGES: readonly AllowancePercent[] = [80, 100];

/** The plans with an allowance. */
export function tierTokens(tiers: TierTable): readonly TierTokens[] {
  return Object.entries(tiers)
    .map(([name, { monthlyTokens }]) => ({ name, tokens: monthlyTokens }))
    .filter(({ tokens }) => tokens > 0);
}

/** Counts periodically how many accounts of each tier have used 80 % and 100 % of a month's allowance. */
export class AllowanceUse extends PeriodicWrite {
  readonly #store: AllowanceNoticeQueries;
  readonly #tiers: readonly TierTokens[];
  #counts: readonly AllowanceCount[] | undefined;
  #isClosed = false;

  constructor(store: AllowanceNoticeQueries, tiers: TierTable) {
    super(() => this.#countAll(), COUNTS_EVERY_MS);
    this.#store = store;
    this.#tiers = tierTokens(tiers);
  }

  /** The latest counts per tier and percentage; undefined if the last round failed. */
  get counts(): readonly AllowanceCount[] | undefined {
    return this.#counts;
  }

  override close(): Promise<void> {
    this.#isClosed = true;
    return super.close();
  }

  async #countAll(): Promise<void> {
    const sums = new Map<string, AllowanceCount>();
    for (const { name: tier } of this.#tiers) {
      for (const percent of PERCENTAGES) sums.set(`${tier} ${percent}`, { tier, percent, accounts: 0 });
    }
    try {
      for (let after: string | undefined = ""; after !== undefined; ) {
        if (this.#isClosed) return;
        const step = await this.#store.allowanceCounts(this.#tiers, after, ACCOUNTS_PER_STEP);
        for (const { tier, percent, accounts } of step.counts) {
          const before = sums.get(`${tier} ${percent}`)?.accounts ?? 0;
          sums.set(`${tier} ${percent}`, { tier, percent, accounts: before + accounts });
        }
        after = step.next;
      }
      this.#counts = [...sums.values()];
    } catch {
      // The state's own check reports the outage. Outdated counts are not shown as current.
      this.#counts = undefined;
    }
  }
}
