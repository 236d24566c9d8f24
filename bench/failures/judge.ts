/** Whether what was promised held: an exact ledger, and no error line without its cause. */
import { opzoek } from "../processes.ts";
import { withState } from "../world.ts";
import type { Happened } from "./faults.ts";
import type { Tally } from "./load.ts";
import type { LogLine, SoakNode } from "./node.ts";
import type { Place, SoakWorld } from "./world.ts";

const ERROR = 50;
/** A line may come so much later than its cause, and so much earlier by the clocks. */
const EXPLAINED_FOR_MS = 60_000;
const EARLIER_MS = 1_000;
export interface AccountSum {
  readonly node: string;
  readonly delivered: number;
  readonly unknown: number;
  readonly held: number;
}

export interface Verdict {
  readonly problems: readonly string[];
  readonly sums: readonly AccountSum[];
  readonly errorLines: number;
}

export async function judge(run: {
  readonly world: SoakWorld;
  readonly nodes: readonly SoakNode[];
  readonly tally: Tally;
  readonly happened: readonly Happened[];
  readonly codes: readonly (number | null | undefined)[];
}): Promise<Verdict> {
  const { world, nodes, tally, happened, codes } = run;
  const problems = [...tally.violations];
  for (const [nth, code] of codes.entries()) {
    if (code !== 0) problems.push(`${nodes[nth]?.name} ended with ${code} at SIGTERM`);
  }
  const sums: AccountSum[] = [];
  for (const [name, place] of [
    ["PostgreSQL", world.shared],
    ["embedded", world.embedded],
  ] as const) {
    sums.push(...(await checkMoney(name, place, tally, problems)));
    await opzoek(["state", "check"], place.environment).catch((error: unknown) =>
      problems.push(String(error)),
    );
  }
  const unexplained = nodes.flatMap((node) => linesWithoutCause(node, happened));
  problems.push(...unexplained);
  const errorLines = nodes.reduce((sum, node) => sum + node.logLines(ERROR).length, 0);
  return { problems, sums, errorLines };
}

/** What is held must be what callers saw, and at most what may have been charged beside it. */
async function checkMoney(
  name: string,
  { environment, accounts }: Place,
  tally: Tally,
  problems: string[],
): Promise<AccountSum[]> {
  return withState(environment, async (state) => {
    const sums: AccountSum[] = [];
    for (const { id, allowance, ratePerMinute } of accounts) {
      const held = (await state.ledger.spent(id))?.used ?? 0;
      const { delivered = 0, unknown = 0, windows } = tally.charged.get(id) ?? {};
      sums.push({ node: name, delivered, unknown, held });
      const told = `${name}: callers saw ${delivered} tokens, ${unknown} at most beside, there are ${held}`;
      if (held < delivered || held > delivered + unknown) problems.push(told);
      if (held > allowance) problems.push(`${name}: ${held} of an allowance of ${allowance}`);
      for (const [window, calls] of windows ?? []) {
        if (ratePerMinute !== undefined && calls > ratePerMinute) {
          problems.push(`${name}: ${calls} calls in the window to ${window}, ${ratePerMinute} are allowed`);
        }
      }
    }
    return sums;
  });
}

function linesWithoutCause(node: SoakNode, happened: readonly Happened[]): string[] {
  const startOfTime = Date.now() - performance.now();
  return node
    .logLines(ERROR)
    .filter((line) => !happened.some((one) => isCause(one, node, line, startOfTime)))
    .map((line) => `${node.name}: ${JSON.stringify(line).slice(0, 400)}`);
}

function isCause(
  { fault, nodes, beganMs, endedMs = Number.POSITIVE_INFINITY }: Happened,
  node: SoakNode,
  line: LogLine,
  startOfTime: number,
): boolean {
  const atMs = Date.parse(line.time) - startOfTime;
  return (
    nodes.includes(node) &&
    atMs >= beganMs - EARLIER_MS &&
    atMs <= endedMs + EXPLAINED_FOR_MS &&
    fault.explains.test(JSON.stringify(line))
  );
}
