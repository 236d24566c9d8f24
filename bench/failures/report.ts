import type { Happened } from "./faults.ts";
import type { Verdict } from "./judge.ts";
import type { Tally } from "./load.ts";

const counts = (things: Readonly<Record<string, number>>) =>
  Object.entries(things)
    .map(([what, times]) => `${what} ${times.toLocaleString("en")}`)
    .join(", ");

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

/** Returns the report of a run in Markdown. */
export function report(run: {
  readonly minutes: number;
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
    `${tally.calls.toLocaleString("en")} calls, ${tally.unanswered} without a whole response.`,
    "",
    "| what went wrong | responses of the nodes it strikes | slowest, s | last failure after, s | failed elsewhere |",
    "|---|---|--:|--:|--:|",
    ...happened.map(({ fault: { name }, seen, failedElsewhere }) => {
      const leftOut =
        name === "the disk is full" && !filledDisk ? " (left out: no disk of its own could be mounted)" : "";
      return `| ${name}${leftOut} | ${counts(Object.fromEntries(seen.outcomes))} | ${seconds(seen.slowestMs)} | ${seconds(seen.failedUntilMs)} | ${failedElsewhere} |`;
    }),
    "",
    "| account on | tokens that callers saw | at most in addition, without an answer | in the ledger |",
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
