/** A list with its answers, as the page shows it and as it is written. */
import type { Language } from "../../../../language/bilingual.ts";
import type { ShownRow } from "../protocol.ts";
import { addedColumns, whyIn } from "./addedColumns.ts";
import { type Answer, outcomeOfRow } from "./answers.ts";
import type { RowsWanted } from "./listJob.ts";
import type { ListRow, Numbers } from "./numbersOf.ts";
import type { Source } from "./source.ts";
import { textOf } from "./table.ts";
import type { Completed } from "./writeCsv.ts";

type Answers = ReadonlyMap<string, Answer>;

/** Rows of the list from one to before another, with what their numbers came to. */
export function shownRows(
  numbers: Numbers,
  answers: Answers,
  { from, to, language }: RowsWanted,
): ShownRow[] {
  return numbers.rows.slice(from, to).map((row, offset) => {
    const answer = answerTo(row, answers);
    const company = answer !== undefined && "company" in answer ? answer.company : undefined;
    return {
      index: from + offset,
      text: row.text,
      number: row.number,
      name: company?.name,
      city: company?.address.city,
      isActive: company?.isActive,
      outcome: outcomeOfRow(row, answer),
      why: whyIn(row, answer, language),
    };
  });
}

/** The reader's table with the columns that a list of this kind gets, in a language. */
export function completedTable(
  { table, found, numbers }: Source,
  answers: Answers,
  { isEverything, language }: { readonly isEverything: boolean; readonly language: Language },
): Completed {
  const taken = found.headRow === undefined ? [] : (table.rows[found.headRow] ?? []).map(textOf);
  const { titles, cells } = addedColumns(isEverything, language, taken);
  const added = new Map(numbers.rows.map((row) => [row.at, cells(row, answerTo(row, answers))]));
  return { rows: table.rows, headRow: found.headRow, titles, added };
}

function answerTo(row: ListRow, answers: Answers): Answer | undefined {
  return row.number === undefined ? undefined : answers.get(row.number);
}
