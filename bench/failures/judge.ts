/** Checks the promises after a run, and renders its report. */
import { formatCount, table } from "../figures.ts";
import { opzoek } from "../processes.ts";
import { withState } from "../world.ts";
import type { Fault } from "./faults.ts";
import type { Tally } from "./load.ts";
import type { TestNode } from "./node.ts";
import type { Place, World } from "./world.ts";

const ERROR_LEVEL = 50;

/** A fault as it happened. Outcomes are those of the nodes it affects (all, if none) until the next fault starts. */
export interface Happened {
  readonly fault: Fault;
  readonly nodes: readonly TestNode[];
  readonly startedMs: number;
  /** Undefined while it lasts. */
  endedMs: number | undefined;
  readonly outcomes: Map<string, number>;
  slowestMs: number;
  /** From the start of the fault to the last failed call. */
  failedUntilMs: number;
}

/** Checks a run whose nodes have ended. @returns the report in Markdown, and the broken promises */
export async function judge(
  world: World,
  tally: Tally,
  happened: readonly Happened[],
): Promise<{ readonly report: string; readonly problems: string[] }> {
  const problems = [...tally.violations];
  const accounts: string[][] = [];
  for (const place of world.places) {
    accounts.push(...(await checkMoney(place, tally, problems)));
    await opzoek(["state", "check"], place.environment).catch((error) => problems.push(String(error)));
  }
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const faults = happened.map((one) => [
    one.fault.name,
    [...one.outcomes].map(([outcome, times]) => `${outcome} ${formatCount(times)}`).join(", "),
    ...[one.slowestMs, one.failedUntilMs].map(seconds),
  ]);
  const report = [
    `${formatCount(tally.calls)} calls, ${tally.unanswered} without a complete response.`,
    table(["fault", "responses of affected nodes", "slowest, s", "last failure after, s"], 2, faults),
    table(["account on", "tokens callers saw", "at most more, unanswered", "in the ledger"], 1, accounts),
    table(["error in a log", "times"], 1, loggedErrors(world.nodes)),
    problems.length === 0 ? "Every promise was kept." : "**Broken promises:**",
    problems.map((problem) => `- ${problem}`).join("\n"),
  ];
  return { report: report.join("\n\n"), problems };
}

/** The ledger must hold what callers saw, and at most the prices of unanswered calls in addition. */
function checkMoney({ name, environment, accounts }: Place, tally: Tally, problems: string[]) {
  return withState(environment, async (state) => {
    const rows: string[][] = [];
    for (const { id, allowance } of accounts) {
      const held = (await state.ledger.spent(id))?.used ?? 0;
      const { delivered = 0, unknown = 0 } = tally.charged.get(id) ?? {};
      rows.push([name, ...[delivered, unknown, held].map(formatCount)]);
      if (held < delivered || held > delivered + unknown) {
        problems.push(
          `${name}: callers saw ${delivered} tokens, ${unknown} more at most, the ledger has ${held}`,
        );
      }
      if (held > allowance) problems.push(`${name}: ${held} tokens of an allowance of ${allowance}`);
    }
    return rows;
  });
}

/** Counts the errors in the logs by their message. */
function loggedErrors(nodes: readonly TestNode[]): string[][] {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    for (const { level, msg } of node.logLines()) {
      const key = `${node.name}: ${msg}`;
      if (level >= ERROR_LEVEL) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, times]) => [key, formatCount(times)]);
}
