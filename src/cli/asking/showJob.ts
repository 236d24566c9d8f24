import type { PricedJob, SubmittedJob } from "../../../client/src/jobs/index.ts";
import type { Screen } from "../command.ts";
import { fieldLines, verdict } from "./show.ts";

const BAD = ["cancelled", "expired"];

/** A list as lines: how it is, and one a field. */
export function jobLines(job: SubmittedJob, screen: Screen): string[] {
  const { id, kind, status, createdAt, startedAt, endedAt, resultsUntil } = job;
  const moments = { created: createdAt, started: startedAt, ended: endedAt, "results until": resultsUntil };
  const isOver = status === "completed" || BAD.includes(status);
  return [
    isOver ? verdict(status, status === "completed", screen) : statusOf(job),
    ...fieldLines(
      [
        ["id", id],
        ["kind", kind],
        ...countRows(job),
        ...Object.entries(moments).flatMap(([name, at]): [string, string][] =>
          at === undefined ? [] : [[name, at]],
        ),
      ],
      screen,
    ),
  ];
}

/** What a list would cost, as lines. */
export function priceLines(job: PricedJob, screen: Screen): string[] {
  return fieldLines([["kind", job.kind], ...countRows(job)], screen);
}

function countRows({ counts, tokens, webhook }: PricedJob): [string, string][] {
  const { numbers, duplicates, done, found, failed } = counts;
  return [
    ["numbers", `${count(numbers)}${duplicates > 0 ? `, and ${count(duplicates)} sent twice` : ""}`],
    ["done", `${count(done)}: ${count(found)} found, ${count(failed)} failed`],
    [
      "tokens",
      `${count(tokens.charged)} of ${count(tokens.estimated)} at most${tokens.max === undefined ? "" : `, capped at ${count(tokens.max)}`}`,
    ],
    ...(webhook === undefined ? [] : [["webhook", webhook] as [string, string]]),
  ];
}

/** A list as a row of a table. */
export function jobRow(job: SubmittedJob): string[] {
  const { id, kind, counts, tokens, createdAt } = job;
  return [
    id,
    kind,
    statusOf(job),
    `${count(counts.done)} of ${count(counts.numbers)}`,
    `${count(tokens.charged)} tokens`,
    createdAt,
  ];
}

function statusOf({ status, reason }: SubmittedJob): string {
  return reason === undefined ? status : `${status} (${reason})`;
}

export function count(number: number): string {
  return number.toLocaleString("en");
}
