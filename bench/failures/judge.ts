/** Whether what was promised held: exactness, no leak, no error line without its cause. */
import { opzoek } from "../processes.ts";
import { withState } from "../world.ts";
import type { Happened } from "./faults.ts";
import type { Tally } from "./load.ts";
import type { LogLine, SoakNode } from "./node.ts";
import { fitted, lowestOfEach, rises } from "./slope.ts";
import type { Place, SoakWorld } from "./world.ts";

const ERROR = 50;
/** A line may come so much later than its cause, and so much earlier by the clocks. */
const EXPLAINED_FOR_MS = 60_000;
const EARLIER_MS = 1_000;
/** The first part of a life, in which caches fill. */
const WARMING_UP = 0.3;
const MINUTE_MS = 60_000;
/** Each thread has its garbage collected every minute: the least of such a stretch is what is held. */
const COLLECTED_WITHIN_MINUTES = 3;
/** What may be added in an hour, by the fitted line: a share of what is held. */
const FLAT_SHARE = 0.15;
const FLAT_HANDLES = 20;
/** A line that is fitted to less says how caches fill, not whether anything leaks. */
export const JUDGED_FROM_MINUTES = 20;

/** How a node's memory and open files went. */
export interface NodeTrend {
  readonly name: string;
  readonly starts: number;
  readonly minutes: number;
  /** The least of each few minutes, what the line is fitted to. */
  readonly leastBytes: readonly number[];
  readonly meanBytes: number;
  readonly bytesAnHour: number;
  readonly meanHandles: number;
  readonly handlesAnHour: number;
  readonly isGrowing: boolean;
  readonly isOpening: boolean;
}

export interface AccountSum {
  readonly node: string;
  readonly delivered: number;
  readonly unknown: number;
  readonly held: number;
}

export interface Verdict {
  readonly problems: readonly string[];
  readonly trends: readonly NodeTrend[];
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
  const trends = nodes.map(trendOf);
  for (const trend of trends.filter(({ minutes }) => minutes >= JUDGED_FROM_MINUTES)) {
    if (trend.isGrowing) problems.push(`${trend.name} grows`);
    if (trend.isOpening) problems.push(`${trend.name} opens more and more`);
  }
  const errorLines = nodes.reduce((sum, node) => sum + node.told(ERROR).length, 0);
  return { problems, trends, sums, errorLines };
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
    .told(ERROR)
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

function trendOf({ name, starts, held }: SoakNode): NodeTrend {
  const settled = held.slice(Math.floor(held.length * WARMING_UP));
  const [first, last] = [settled[0], settled.at(-1)];
  const minutes = first === undefined || last === undefined ? 0 : (last.atMs - first.atMs) / MINUTE_MS;
  const least = lowestOfEach(
    settled.map(({ atMs, anonymousBytes }) => [atMs / MINUTE_MS, anonymousBytes]),
    COLLECTED_WITHIN_MINUTES,
  );
  const bytes = fitted(least);
  const handles = fitted(settled.map(({ atMs, handles: open }) => [atMs / MINUTE_MS, open]));
  return {
    name,
    starts,
    minutes,
    leastBytes: least.map(([, anonymousBytes]) => anonymousBytes),
    meanBytes: bytes.mean,
    bytesAnHour: bytes.slope * 60,
    meanHandles: handles.mean,
    handlesAnHour: handles.slope * 60,
    isGrowing: rises(bytes, (bytes.mean * FLAT_SHARE) / 60),
    isOpening: rises(handles, FLAT_HANDLES / 60),
  };
}
