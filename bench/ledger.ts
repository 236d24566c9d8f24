import { Type } from "typebox";
import { Check } from "typebox/value";
import type { CaseResult } from "./measure.ts";
import { opzoek } from "./program.ts";
import type { World } from "./world.ts";

const UsageSchema = Type.Object({
  tokens: Type.Object({ used: Type.Integer() }),
  ledger: Type.Array(
    Type.Object({ requests: Type.Integer(), tokens: Type.Integer(), refusedByRate: Type.Integer() }),
  ),
});

const TOO_MANY = "429";

/**
 * Compares what the client saw in the answers, charges and refusals, with what the ledger holds for the account of
 * each case. Call it when the server has ended.
 * @returns a line for every figure that differs; a case whose client read no headers is passed over
 */
export async function ledgerDifferences(world: World, results: readonly CaseResult[]): Promise<string[]> {
  const differences: string[] = [];
  for (const { bench, accountId } of world.cases) {
    const seen = results.find(({ name }) => name === bench.name)?.seen;
    if (seen === undefined) continue;
    const usage: unknown = JSON.parse(await opzoek(["usage", accountId, "--json"], world.environment));
    if (!Check(UsageSchema, usage)) throw new Error("opzoek usage --json has not the form that is read here");
    const { ledger } = usage;
    const total = (pick: (line: (typeof ledger)[number]) => number): number =>
      ledger.reduce((sum, line) => sum + pick(line), 0);
    const answers = Object.values(seen.statuses).reduce((sum, times) => sum + times, 0);
    const refused = seen.statuses[TOO_MANY] ?? 0;
    const figures: readonly (readonly [string, number, number])[] = [
      ["tokens of the month", seen.tokens, usage.tokens.used],
      ["tokens in the ledger", seen.tokens, total(({ tokens }) => tokens)],
      ["calls", answers - refused, total(({ requests }) => requests)],
      ["refusals", refused, total(({ refusedByRate }) => refusedByRate)],
    ];
    for (const [what, client, held] of figures) {
      if (client !== held)
        differences.push(`${bench.name}, ${what}: the client saw ${client}, there are ${held}`);
    }
  }
  return differences;
}
