/** What a plan gives: tokens a calendar month (UTC) for the account, calls a UTC clock minute for each key. */
export interface Tier {
  readonly monthlyTokens: number;
  readonly ratePerMinute: number;
  /** Its accounts share a part of what costs the operator money, so that they cannot spend it for the others. */
  readonly isFree?: boolean;
}

/** Tiers by name. The one table that metering, `/v1/usage`, the docs page and the CLI read. */
export type TierTable = Readonly<Record<string, Tier>>;

export const DEFAULT_TIERS = {
  free: { monthlyTokens: 50, ratePerMinute: 10 },
  starter: { monthlyTokens: 1_000, ratePerMinute: 60 },
  pro: { monthlyTokens: 5_000, ratePerMinute: 300 },
} as const satisfies TierTable;

/** The tiers whose accounts pay nothing: `free`, whatever it gives, and those that say so. */
export function freeTiers(tiers: TierTable): readonly string[] {
  const marked = Object.keys(tiers).filter((name) => tiers[name]?.isFree === true);
  return [...new Set(["free", ...marked])];
}
