import type { Batch } from "../../../../api/publicApi.ts";
import type { ListRow } from "./numbersOf.ts";

/** A company of a list's answer, basic or with everything. */
export type ListedCompany = Batch["results"][number];

/** What is known of a number that was asked. */
export type Answer =
  | { readonly number: string; readonly company: ListedCompany }
  /** One of the API's codes for a number of a batch. */
  | { readonly number: string; readonly code: string };

/** What came of a row. `noAnswer` says nothing of the company: the service or its source could not tell. */
export type Outcome = "found" | "notFound" | "noAnswer" | "notANumber" | "empty" | "waiting";

/** What the answers to a part of a list say of its numbers, in their order; a number of which nothing is told has no answer. */
export function answersIn(asked: readonly string[], { results, failed }: Batch): Answer[] {
  const told = new Map<string, Answer>();
  for (const company of results) told.set(company.kvkNumber, { number: company.kvkNumber, company });
  for (const { kvkNumber, error } of failed) told.set(kvkNumber, { number: kvkNumber, code: error.code });
  return asked.map((number) => told.get(number) ?? { number, code: "INTERNAL_ERROR" });
}

/** What an answer comes to. Whatever is no company and no word of the registry is an outage. */
export function outcomeOf(answer: Answer | undefined): Outcome {
  if (answer === undefined) return "waiting";
  if ("company" in answer) return "found";
  if (answer.code === "NOT_FOUND") return "notFound";
  return answer.code === "INVALID_KVK_NUMBER" ? "notANumber" : "noAnswer";
}

/** What came of a row of the list, asked or not. */
export function outcomeOfRow(row: ListRow, answer: Answer | undefined): Outcome {
  if (row.number !== undefined) return outcomeOf(answer);
  return row.why === "empty" ? "empty" : "notANumber";
}

/** Distinct numbers by what came of them; `noAnswer` is what can be asked again. */
export interface AnswerCount {
  readonly done: number;
  readonly found: number;
  readonly notFound: number;
  readonly noAnswer: number;
}

/** How many numbers have an answer, and of which kind. */
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
