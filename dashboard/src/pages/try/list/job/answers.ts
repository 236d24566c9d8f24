import type { Company } from "../../../../../../src/contract/resources.ts";
import type { ListRow } from "./source.ts";

/** A line of a job's results: a company, basic or enriched, or an error of the API. */
export type Answer =
  | { readonly number: string; readonly result: Company }
  | { readonly number: string; readonly error: { readonly code: string } };

/** The result of a row. `noAnswer` says nothing about the company: the service or its source failed. */
export type Outcome = "found" | "notFound" | "noAnswer" | "notANumber" | "empty" | "waiting";

export function companyIn(answer: Answer | undefined): Company | undefined {
  return answer !== undefined && "result" in answer ? answer.result : undefined;
}

/** Any error other than the registry's own "not found" is an outage. */
export function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer === undefined) return "waiting";
  if ("result" in answer) return "found";
  if (answer.error.code === "NOT_FOUND") return "notFound";
  return answer.error.code === "INVALID_KVK_NUMBER" ? "notANumber" : "noAnswer";
}

export function outcomeOfRow(row: ListRow, answer: Answer | undefined): Outcome {
  if (row.number !== undefined) return outcomeOf(answer);
  return row.why === "empty" ? "empty" : "notANumber";
}

/** Counts of distinct numbers by outcome, and in total. */
export function countOf(answers: ReadonlyMap<string, Answer>) {
  const count = { found: 0, notFound: 0, noAnswer: 0, notANumber: 0, empty: 0, waiting: 0 };
  for (const answer of answers.values()) count[outcomeOf(answer)] += 1;
  return { ...count, done: answers.size };
}
