import type { Happened } from "./faults.ts";
import { JUDGED_FROM_MINUTES, type Verdict } from "./judge.ts";
import type { Tally } from "./load.ts";
import type { SoakNode } from "./node.ts";

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
const counts = (things: Readonly<Record<string, number>>) =>
  Object.entries(things)
    .map(([what, times]) => `${what} ${times.toLocaleString("en")}`)
    .join(", ");

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

/** What a run came to, as a page. */
export function report(run: {
  readonly minutes: number;
  readonly nodes: readonly SoakNode[];
  readonly tally: Tally;
  readonly happened: readonly Happened[];
  readonly verdict: Verdict;
  readonly filledDisk: boolean;
}): string {
  const { minutes, tally, happened, verdict, filledDisk } = run;
  return [
    "# Failures",
    "",
    `\`npm run failures\` on ${new Date().toISOString().slice(0, 10)}: ${minutes} minutes, two nodes on PostgreSQL, of two workers each, and one on the embedded state.`,
    `${tally.calls.toLocaleString("en")} calls; ${counts(tally.statuses)}; ${tally.unanswered} without a whole answer; the slowest took ${(tally.slowestMs / 1_000).toFixed(1)} s. Codes: ${counts(tally.codes)}.`,
    "",
    "| what went wrong | responses of the nodes it strikes | slowest, s | last failure after, s | failed elsewhere |",
    "|---|---|--:|--:|--:|",
    ...happened.map(({ fault: { name }, seen, failedElsewhere }) => {
      const leftOut =
        name === "the disk is full" && !filledDisk ? " (left out: no disk of its own could be mounted)" : "";
      return `| ${name}${leftOut} | ${counts(Object.fromEntries(seen.outcomes))} | ${seconds(seen.slowestMs)} | ${seconds(seen.failedUntilMs)} | ${failedElsewhere} |`;
    }),
    "",
    "| node | starts | followed, minutes | anonymous memory, MB | grows, MB an hour | handles | grows, an hour |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...verdict.trends.map(
      (one) =>
        `| ${one.name} | ${one.starts} | ${one.minutes.toFixed(1)} | ${megabytes(one.meanBytes)} | ${megabytes(one.bytesAnHour)} | ${one.meanHandles.toFixed(0)} | ${one.handlesAnHour.toFixed(1)} |`,
    ),
    ...(verdict.trends.some(({ minutes: followed }) => followed < JUDGED_FROM_MINUTES)
      ? [
          "",
          `What was followed for less than ${JUDGED_FROM_MINUTES} minutes is told and not judged: caches fill.`,
        ]
      : []),
    "",
    "Memory is the least of each three minutes, in which the garbage of each thread is collected three times:",
    "",
    ...verdict.trends.map(({ name, leastBytes }) => `- ${name}: ${leastBytes.map(megabytes).join(", ")} MB`),
    "",
    "| account on | tokens that callers saw | at most beside, without an answer | in the ledger |",
    "|---|--:|--:|--:|",
    ...verdict.sums.map((one) => `| ${one.node} | ${one.delivered} | ${one.unknown} | ${one.held} |`),
    "",
    `${verdict.errorLines} lines at error level, each with its cause but for those below.`,
    "",
    verdict.problems.length === 0 ? "Nothing that was promised was broken." : "**Broken:**",
    "",
    ...verdict.problems.map((problem) => `- ${problem}`),
    "",
  ].join("\n");
}
