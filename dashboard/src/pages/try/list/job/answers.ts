import type { BasicCompany, Company } from "../../../../../../src/contract/resources.ts";
import type { ListRow } from "./numbersOf.ts";

/** A company in the results of a list, basic or with everything. */
export type ListedCompany = BasicCompany | Company;

/** The result for a number: its company, or an error code of the API. */
export type Answer =
  | { readonly number: string; readonly company: ListedCompany }
  | { readonly number: string; readonly code: string };

/** A line of a job's results. */
export type ResultLine =
  | { readonly number: string; readonly result: ListedCompany }
  | { readonly number: string; readonly error: { readonly code: string } };

/** The result for a row. `noAnswer` says nothing about the company: the service or its source could not tell. */
export type Outcome = "found" | "notFound" | "noAnswer" | "notANumber" | "empty" | "waiting";

export function answerIn(line: ResultLine): Answer {
  const { number } = line;
  return "result" in line ? { number, company: line.result } : { number, code: line.error.code };
}

/** Any error other than the registry's own "not found" is an outage. */
export function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer === undefined) return "waiting";
  if ("company" in answer) return "found";
  if (answer.code === "NOT_FOUND") return "notFound";
  return answer.code === "INVALID_KVK_NUMBER" ? "notANumber" : "noAnswer";
}

export function outcomeOfRow(row: ListRow, answer: Answer | undefined): Outcome {
  if (row.number !== undefined) return outcomeOf(answer);
  return row.why === "empty" ? "empty" : "notANumber";
}

/** Distinct numbers by their outcome; those with `noAnswer` can be looked up again. */
export interface AnswerCount {
  readonly done: number;
  readonly found: number;
  readonly notFound: number;
  readonly noAnswer: number;
}

export function countOf(answers: ReadonlyMap<string, Answer>): AnswerCount {
  const count = { done: answers.size, found: 0, notFound: 0, noAnswer: 0 };
  for (const answer of answers.values()) {
    const outcome = outcomeOf(answer);
    if (outcome === "found") count.found += 1;
    else if (outcome === "notFound") count.notFound += 1;
    else if (outcome === "noAnswer") count.noAnswer += 1;
  }
  return count;
}
