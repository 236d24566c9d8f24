import type { AllowanceCount } from "../../accounts/allowanceNoticeStore.ts";
import type { Reading } from "./readings.ts";

/** How many accounts are near the end of their month's allowance. @throws while that is not known */
export function accountReadings(counts: readonly AllowanceCount[] | undefined): readonly Reading[] {
  if (counts === undefined) throw new Error("the accounts were not looked at yet, or the state is away");
  return counts.map(({ tier, percent, accounts }) => ({
    name: "opzoek_accounts_near_allowance",
    labels: { tier, percent: String(percent) },
    value: accounts,
  }));
}
