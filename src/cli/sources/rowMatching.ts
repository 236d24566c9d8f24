/** Matches the rows of a table in a service or with the snapshot in DATA_DIR. */
import type { Jobs, MatchedRow, ResultLine, SubmittedJob } from "../../../client/src/jobs/index.ts";
import { JOB_BOUNDS } from "../../contract/jobs.ts";
import { spreadsheetRow } from "../../lib/spreadsheet.ts";
import { matcherOf } from "../../match/matcher.ts";
import { readQuery } from "../../match/readQuery.ts";
import type { MatchOptions } from "../../match/types.ts";
import { type CliContext, CommandFailure, UsageError } from "../command.ts";
import { suppressedNumbers } from "../opening.ts";
import { withProgress } from "../progress.ts";
import { withNames } from "../snapshot.ts";
import type { RowTable } from "./rowTable.ts";

/** The result of a row, or its error. */
export type RowOutcome =
  | { readonly result: MatchedRow }
  | { readonly error: { readonly code: string; readonly message: string } };

/** The best candidate and the next two. */
const CANDIDATES = 3;
/** Longer than any list takes: a caller who wants to wait less stops the command. */
const MAX_WAIT_MS = 35 * 86_400_000;
const REPORTED_EVERY = 100;

/** Returns how companies on the suppression list are omitted. */
export async function matchOptions(context: CliContext, limit = CANDIDATES): Promise<MatchOptions> {
  const suppressed = await suppressedNumbers(context);
  return { limit, isHidden: (kvkNumber) => suppressed.has(kvkNumber) };
}

/** Matches with the snapshot: no service is called, and no tokens are spent. */
export async function matchLocally({ rows, read }: RowTable, context: CliContext): Promise<RowOutcome[]> {
  const options = await matchOptions(context);
  return withProgress(context, (progress) =>
    withNames(context, (snapshot) =>
      rows.map((cells, index): RowOutcome => {
        if (index % REPORTED_EVERY === 0) progress.update({ stage: "rows", done: index, total: rows.length });
        const query = readQuery(read(cells).sent);
        return "message" in query ? { error: query } : { result: matcherOf(snapshot).match(query, options) };
      }),
    ),
  );
}

/**
 * Matches with a list in a service, which is charged.
 * @throws {CommandFailure} (the promise) if the list does not complete
 */
export async function matchInService(
  { rows, read }: RowTable,
  service: Jobs,
  maxTokens: number | undefined,
  context: CliContext,
): Promise<RowOutcome[]> {
  if (rows.length > JOB_BOUNDS.maxNumbers)
    throw new UsageError(
      `A list may contain at most ${JOB_BOUNDS.maxNumbers.toLocaleString("en")} rows: split it, or use --local.`,
    );
  // Written again, so that every row has its number, and the columns that are read have the names of their fields.
  const used = [...read.fields.keys()].filter((at) => read.fields[at] !== undefined);
  const csv = [read.fields, ...rows].map((cells) => quotedRow(used.map((at) => cells[at] ?? "")));
  const list = new Blob(csv, { type: "text/csv" });
  const job = await service.submit(list, { kind: "match", maxTokens });
  context.err(`List ${job.id}: ${job.tokens.estimated.toLocaleString("en")} tokens maximum.`);
  const ended = await withProgress(context, (progress) =>
    service.wait(job, {
      timeoutMs: MAX_WAIT_MS,
      onProgress: ({ counts: { done, numbers: total } }) => progress.update({ stage: "rows", done, total }),
    }),
  );
  if (ended.status !== "completed") throw new CommandFailure(unfinished(ended));
  const outcomes: RowOutcome[] = [];
  for await (const line of service.results(job)) outcomes[line.row - 1] = outcomeOf(line);
  return outcomes;
}

/** In quotes, so that a row of empty cells is a row too. */
function quotedRow(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`;
}

function outcomeOf({ result, error }: ResultLine<"match">): RowOutcome {
  return error === undefined ? { result } : { error };
}

function unfinished({ id, status, reason }: SubmittedJob): string {
  const state = reason === undefined ? status : `${status} (${reason})`;
  return `The list ${id} is ${state}: "opzoek jobs show ${id}" shows its progress, "opzoek jobs results ${id}" its results.`;
}

const CANDIDATE_COLUMNS = ["KvkNumber", "Name", "City", "Score"];

/** Yields the table with the columns of the results. */
export function* resultRows({ header, rows }: RowTable, outcomes: readonly RowOutcome[]): Generator<string> {
  const columns = ["match", "match2", "match3"].map((prefix) =>
    CANDIDATE_COLUMNS.map((name) => prefix + name),
  );
  yield rowText([...header, "matchDecision", ...columns.flat(), "matchNotes", "matchError"]);
  for (const [index, cells] of rows.entries()) {
    const own = header.map((_, column) => cells[column] ?? "");
    yield rowText([...own, ...resultCells(outcomes[index])]);
  }
}

/** A row without its line break. */
function rowText(cells: readonly string[]): string {
  return spreadsheetRow(cells).slice(0, -"\r\n".length);
}

function resultCells(outcome: RowOutcome | undefined): string[] {
  const {
    decision = "",
    candidates = [],
    notes = [],
  } = outcome !== undefined && "result" in outcome ? outcome.result : {};
  const error = outcome !== undefined && "error" in outcome ? outcome.error.message : "";
  const cells = Array.from({ length: CANDIDATES }, (_, nth) => {
    const { kvkNumber = "", name = "", city = "", score = "" } = candidates[nth] ?? {};
    return [kvkNumber, name, city, String(score)];
  });
  return [decision, ...cells.flat(), notes.map(({ message }) => message).join("; "), error];
}
