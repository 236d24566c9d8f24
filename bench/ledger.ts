import { Type } from "typebox";
import { Check } from "typebox/value";
import type { CaseResult } from "./measure.ts";
import { opzoek } from "./program.ts";
import type { World } from "./world.ts";

const UsageSchema = Type.Object({ tokens: Type.Object({ used: Type.Integer() }) });

/**
 * Compares what the client was charged, by the headers of its answers, with what the ledger holds for the account
 * of each case. Call it when the server has ended.
 * @returns a line for every account that differs; a case whose client read no headers is passed over
 */
export async function ledgerDifferences(world: World, results: readonly CaseResult[]): Promise<string[]> {
  const differences: string[] = [];
  for (const { bench, accountId } of world.cases) {
    const seen = results.find(({ name }) => name === bench.name)?.tokensSeen;
    if (seen === undefined) continue;
    const usage: unknown = JSON.parse(await opzoek(["usage", accountId, "--json"], world.environment));
    if (!Check(UsageSchema, usage)) throw new Error("opzoek usage --json gave no tokens.used");
    if (usage.tokens.used !== seen) {
      differences.push(
        `${bench.name}: the client was charged ${seen}, the ledger holds ${usage.tokens.used}`,
      );
    }
  }
  return differences;
}
