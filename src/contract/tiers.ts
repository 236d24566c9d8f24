/** A plan: tokens per calendar month (UTC) for the account, calls per UTC clock minute for each key. */
export interface Tier {
  readonly monthlyTokens: number;
  readonly ratePerMinute: number;
  /** Its accounts share part of the resources that cost the operator money, so that some are left for the others. */
  readonly isFree?: boolean;
  /** Monitors that an account may have; by default one for each monthly token. */
  readonly maxMonitors?: number;
}

/** Tiers by name: the table that metering, `/v1/usage`, the docs page and the CLI use. */
export type TierTable = Readonly<Record<string, Tier>>;

export const DEFAULT_TIERS = {
  free: { monthlyTokens: 50, ratePerMinute: 10 },
  starter: { monthlyTokens: 1_000, ratePerMinute: 60 },
  pro: { monthlyTokens: 5_000, ratePerMinute: 300 },
} as const satisfies TierTable;

/** The tiers whose accounts pay nothing: `free`, and those marked as free. */
export function freeTiers(tiers: TierTable): readonly string[] {
  const marked = Object.keys(tiers).filter((name) => tiers[name]?.isFree === true);
  return [...new Set(["free", ...marked])];
}
