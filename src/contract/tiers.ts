/** What a plan gives: tokens a calendar month (UTC) for the account, calls a UTC clock minute for each key. */
export interface Tier {
  readonly monthlyTokens: number;
  readonly ratePerMinute: number;
}

/** Tiers by name. The one table that metering, `/v1/usage`, the docs page and the CLI read. */
export type TierTable = Readonly<Record<string, Tier>>;

export const DEFAULT_TIERS = {
  free: { monthlyTokens: 50, ratePerMinute: 10 },
  starter: { monthlyTokens: 1_000, ratePerMinute: 60 },
  pro: { monthlyTokens: 5_000, ratePerMinute: 300 },
} as const satisfies TierTable;
