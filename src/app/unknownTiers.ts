import { quoted } from "../contract/quoting.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { TierCount } from "../database/tierCounts.ts";
import { OperatorError } from "../lib/operatorError.ts";

/** Accounts have tiers that the settings lack. The message names them and the remedy. */
export class UnknownTiers extends OperatorError {
  constructor(unknown: readonly TierCount[]) {
    super(
      `${formatUnknownTiers(unknown)}; "opzoek serve --allow-unknown-tiers" starts anyway, with one call per minute and no tokens for these accounts`,
    );
    this.name = "UnknownTiers";
  }
}

const MAX_NAMED = 10;

/** The tiers of accounts that the table lacks, the most common first. */
export async function unknownTiers(
  accounts: { byTier(): Promise<readonly TierCount[]> },
  tiers: TierTable,
): Promise<readonly TierCount[]> {
  const all = await accounts.byTier();
  return all
    .filter(({ tierName }) => !Object.hasOwn(tiers, tierName))
    .sort((one, other) => other.accounts - one.accounts);
}

/** Formats the tiers with their numbers of accounts, and the remedy. */
export function formatUnknownTiers(unknown: readonly TierCount[]): string {
  const named = unknown
    .slice(0, MAX_NAMED)
    .map(({ tierName, accounts }) => `${quoted(tierName)} (${accounts} account${accounts === 1 ? "" : "s"})`);
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : "";
  return `TIERS_FILE lacks tiers that accounts have: ${named.join(", ")}${more}. Set TIERS_FILE to a file that defines them, or change the tiers with "opzoek account tier"`;
}
