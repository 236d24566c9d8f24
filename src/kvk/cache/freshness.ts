import type { CachedCompany } from "./companyCache.ts";

export interface LiveLifetimes {
  /** A company is told again without asking. */
  readonly freshForMs: number;
  /** The same for a number that the source does not know. */
  readonly notFoundFreshForMs: number;
  /** What was told before is deleted. */
  readonly keepForMs: number;
}

interface FreshnessTerms {
  /** Narrows how old it may be. */
  readonly maxAgeMs: number;
  /** Whether its branches must be fresh too. */
  readonly withBranches: boolean;
  readonly nowMs: number;
  readonly lifetimes: LiveLifetimes;
}

/** Whether what is held of a company can be told without asking. */
export function isFresh(
  { facts, toldAtMs, branchesAtMs }: CachedCompany,
  { maxAgeMs, withBranches, nowMs, lifetimes: { freshForMs, notFoundFreshForMs } }: FreshnessTerms,
): boolean {
  if (facts === undefined) return isYoung(toldAtMs, Math.min(notFoundFreshForMs, maxAgeMs), nowMs);
  const usableForMs = Math.min(freshForMs, maxAgeMs);
  if (!isYoung(toldAtMs, usableForMs, nowMs)) return false;
  return !withBranches || (branchesAtMs !== undefined && isYoung(branchesAtMs, usableForMs, nowMs));
}

/** What is from the future was kept while the clock was wrong: it is as far from now as what is past. */
function isYoung(atMs: number, forMs: number, nowMs: number): boolean {
  return forMs > 0 && Math.abs(nowMs - atMs) <= forMs;
}
