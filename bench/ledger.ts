import type { CaseResult } from "./measure.ts";
import { inGroups, type PreparedCase, type World, withState } from "./world.ts";

const TOO_MANY = "429";
const [FIRST_DAY, LAST_DAY] = ["2000-01-01", "9999-12-31"];

/**
 * Compares what the client saw in the answers, charges and refusals, with what the ledger holds for the accounts of each
 * case. Call it when the server has ended.
 * @returns a line for every figure that differs; a case whose client read no headers is passed over
 */
export function ledgerDifferences(
  world: World,
  cases: readonly PreparedCase[],
  results: readonly CaseResult[],
): Promise<string[]> {
  return withState(world, async (state) => {
    const differences: string[] = [];
    for (const { bench, accountIds } of cases) {
      const result = results.find(({ name }) => name === bench.name);
      if (result?.seen === undefined) continue;
      const { seen, setup } = result;
      const held = await inGroups(accountIds.length, async (index) => {
        const id = accountIds[index] ?? "";
        const lines = await state.ledger.lines(id, FIRST_DAY, LAST_DAY);
        return { used: (await state.ledger.spent(id))?.used ?? 0, lines };
      });
      const lines = held.flatMap((one) => one.lines);
      const total = (pick: (line: (typeof lines)[number]) => number): number =>
        lines.reduce((sum, line) => sum + pick(line), 0);
      const answers = Object.values(seen.statuses).reduce((sum, times) => sum + times, 0);
      const refused = seen.statuses[TOO_MANY] ?? 0;
      const figures: readonly (readonly [string, number, number])[] = [
        ["tokens of the month", seen.tokens, held.reduce((sum, { used }) => sum + used, 0)],
        ["tokens in the ledger", seen.tokens, total(({ tokens }) => tokens)],
        ["calls", answers - refused, total(({ requests }) => requests)],
        ["refusals", refused, total(({ refusedByRate }) => refusedByRate)],
      ];
      for (const [what, client, kept] of figures) {
        if (client === kept) continue;
        differences.push(
          `${setup.name}, ${bench.name}, ${what}: the client saw ${client}, there are ${kept}`,
        );
      }
    }
    return differences;
  });
}
