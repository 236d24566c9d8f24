import { type BreakerOptions, Breakers, type GuardedPart } from "../../upstream/breakers.ts";
import type { StateCode } from "../numbers/states.ts";
import type { ViesScope } from "./results.ts";

export type ViesBreakers = Breakers<StateCode, ViesScope>;

const OPEN_FOR_MS = 2_000;
const MAX_OPEN_FOR_MS = 60_000;
const FAILURES_IN_A_ROW = 5;

/**
 * The breakers of this machine's address, of VIES as a whole and of each state. A code of VIES proves that everything
 * above its scope works: if VIES reports that Germany is down, VIES itself works. A failure of one call or its
 * requester says nothing about the number's state.
 * @param openForMs how long the breakers of VIES and of states stay open at first, milliseconds
 */
export function viesBreakers({
  openForMs = OPEN_FOR_MS,
  ...options
}: BreakerOptions & { readonly openForMs?: number } = {}): ViesBreakers {
  return new Breakers(viesParts(openForMs), options);
}

export function viesParts(openForMs = OPEN_FOR_MS): readonly GuardedPart<ViesScope>[] {
  const maxOpenForMs = Math.max(openForMs, MAX_OPEN_FOR_MS);
  const terms = { failures: FAILURES_IN_A_ROW, openForMs, maxOpenForMs };
  return [
    {
      name: "address",
      // After a block, more calls may prolong it.
      failures: 1,
      openForMs: 300_000,
      maxOpenForMs: 3_600_000,
      failedBy: ["address"],
      clearedBy: ["vies", "state", "call"],
    },
    { ...terms, name: "vies", failedBy: ["vies"], clearedBy: ["state", "call"] },
    { ...terms, name: "state", isPerTarget: true, failedBy: ["state"], clearedBy: [] },
  ];
}
