import { RegistryRefusal } from "./errors.ts";
import type { OriginInfo } from "./info.ts";

/** The maximum share of an origin's companies that may disappear. A larger loss looks like an incomplete file. */
const MAX_LOST_SHARE = 0.1;

type Counted = Pick<OriginInfo, "origin" | "companies">;

export interface Loss {
  readonly origin: string;
  readonly before: number;
  readonly after: number;
}

/** The registry would lose more than a tenth of an origin's companies. */
export class ShrinkRefused extends RegistryRefusal {
  constructor(what: string, losses: readonly Loss[], advice: string) {
    super(`${what} would take away ${lossesShown(losses)}. ${advice}`);
  }
}

/**
 * Returns the origins of `after` that lost more than a tenth of their companies in `before`; with `countsVanished` also
 * origins that are missing in `after`. `forgotten` companies do not count as lost.
 */
export function lossesOf(
  before: readonly Counted[],
  after: readonly Counted[],
  { countsVanished = false, forgotten = 0 } = {},
): readonly Loss[] {
  const left = new Map(after.map(({ origin, companies }) => [origin, companies]));
  return before.flatMap(({ origin, companies }) => {
    const now = left.get(origin) ?? (countsVanished ? 0 : undefined);
    const isTooMuch = now !== undefined && companies - now - forgotten > companies * MAX_LOST_SHARE;
    return isTooMuch ? [{ origin, before: companies, after: now }] : [];
  });
}

/** `3 of the 20 companies of gleif (15.0 %) and leave 17` */
export function lossesShown(losses: readonly Loss[]): string {
  return losses.map(shown).join(", and ");
}

function shown({ origin, before, after }: Loss): string {
  const lost = before - after;
  const percent = ((lost / before) * 100).toFixed(1);
  return `${count(lost)} of the ${count(before)} companies of ${origin} (${percent} %) and leave ${count(after)}`;
}

function count(companies: number): string {
  return companies.toLocaleString("en");
}
