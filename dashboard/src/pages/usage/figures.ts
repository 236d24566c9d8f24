import type { UsageRange } from "../../../../src/contract/accountResources.ts";

/** What is counted of calls, whichever they are. */
export type Counted = UsageRange["total"];

/** Calls that brought no answer because there were too many, or too few tokens. */
export function refusedIn({ refusedByRate, refusedByAllowance }: Counted): number {
  return refusedByRate + refusedByAllowance;
}

/** Calls that were answered with another error, whoever's it is. */
export function failedIn({ failedByCaller, failedByService }: Counted): number {
  return failedByCaller + failedByService;
}
