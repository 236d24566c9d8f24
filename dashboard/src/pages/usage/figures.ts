import type { UsageRange } from "../../../../src/contract/accountResources.ts";

/** The figures that are counted of calls. */
export type Counted = UsageRange["total"];

/** Calls that were refused because there were too many, or too few tokens. */
export function refusedIn({ refusedByRate, refusedByAllowance }: Counted): number {
  return refusedByRate + refusedByAllowance;
}

/** Calls that failed with any other error. */
export function failedIn({ failedByCaller, failedByService }: Counted): number {
  return failedByCaller + failedByService;
}
