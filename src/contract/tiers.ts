/** A plan: tokens per calendar month (UTC) for the account, calls per UTC clock minute for each key. */
export interface Tier {
  readonly monthlyTokens: number;
  readonly ratePerMinute: number;
  /** Its accounts share part of the resources that cost the operator money, so that some are left for the others. */
  readonly isFree?: boolean;
  /** Monitors that an account may have; by default one for each monthly token. */
  readonly maxMonitors?: number;
}

const isCount = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 1e12;

/** The check of each property, undefined if it is absent. */
const PROPERTIES: Readonly<Record<keyof Tier, (value: unknown) => boolean>> = {
  monthlyTokens: isCount,
  ratePerMinute: (value) => isCount(value) && value !== 0,
  isFree: (value) => value === undefined || typeof value === "boolean",
  maxMonitors: (value) => value === undefined || isCount(value),
};

/** Whether a value is a tier without further properties. */
export function isTier(value: unknown): value is Tier {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(PROPERTIES).every(([name, isValid]) => isValid(Reflect.get(value, name))) &&
    Object.keys(value).every((name) => Object.hasOwn(PROPERTIES, name))
  );
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
