import type { MatchCandidate, MatchNote } from "../../../../../../src/contract/matchResources.ts";
import type { PeppolCheck } from "../../../../../../src/contract/peppol.ts";
import type { Company } from "../../../../../../src/contract/resources.ts";

/** Whether a key is a KVK number: the indexes of rows have fewer digits. */
export const isNumberKey = (key: string) => key.length === 8;

/** A company that a row may mean. */
export type Candidate = Omit<MatchCandidate, "features">;

/** The result of matching a row. */
export interface Match {
  readonly decision: "matched" | "ambiguous" | "none";
  readonly candidates: readonly Candidate[];
  readonly notes?: readonly MatchNote[];
}

/** A company that a person found for a row, with the score of matching. */
export type FoundCompany = Pick<Candidate, "kvkNumber" | "name" | "city"> &
  Partial<Pick<Candidate, "isActive" | "score">>;

/** A company of a list; a list of insolvencies has little else, and one of Peppol not even names. */
export type ListedCompany = Pick<Company, "kvkNumber"> & Partial<Company>;

/** The result of a key: a company, basic or enriched, a match, or an error of the API. */
export type Answer = { readonly key: string } & (
  | { readonly result: ListedCompany | Match }
  | { readonly error: { readonly code: string } }
);

/** The company that a person chose for a row, or the KVK number of a candidate; null: none. */
export type Choice = FoundCompany | string | null;
export type Choices = ReadonlyMap<string, Choice>;

/**
 * The result of a row. `noAnswer` says nothing about the company: the service or its source failed. `checked`: Peppol
 * answered, yes or no. `chosen`: a person decided. The others are decisions of the service, or reasons why the row was
 * not sent.
 */
export type Outcome =
  | ("found" | "checked" | "notFound" | "noAnswer" | "notANumber" | "invalid" | "waiting")
  | (Match["decision"] | "chosen");

interface SentMatch extends Omit<Match, "candidates"> {
  readonly candidates: readonly MatchCandidate[];
}

type Listed = ListedCompany | PeppolCheck;

/** A line of a job's results. */
type ResultLine = ({ readonly number: string } | { readonly row: number }) &
  ({ readonly result: Listed | SentMatch } | { readonly error: { readonly code: string } });

/** @param keys the keys that were sent, in their order */
export function answerIn(line: string, keys: readonly string[]): Answer {
  const read = JSON.parse(line) as ResultLine;
  const key = "row" in read ? (keys[read.row - 1] ?? "") : read.number;
  if ("error" in read) return { key, error: { code: read.error.code } };
  if ("candidates" in read.result) return { key, result: slim(read.result) };
  if (!("asked" in read.result)) return { key, result: read.result };
  const { kvkNumber, ...peppol } = read.result;
  return { key, result: { kvkNumber, peppol } };
}

/** Drops the features, which take most of the space, and another name that does not fit either. */
export function slim({ candidates, ...match }: SentMatch): Match {
  return {
    ...match,
    candidates: candidates.map(({ features, matchedName, ...rest }) => ({
      ...rest,
      ...((features.name ?? 0) > 0 && matchedName !== undefined && { matchedName }),
    })),
  };
}

export function companyIn(answer: Answer | undefined): ListedCompany | undefined {
  return answer !== undefined && "result" in answer && !("decision" in answer.result)
    ? answer.result
    : undefined;
}

export function matchIn(answer: Answer | undefined): Match | undefined {
  return answer !== undefined && "result" in answer && "decision" in answer.result
    ? answer.result
    : undefined;
}

/** The company of a row to match: the one that a person chose, otherwise the one that the service is sure about. */
export function matchedIn(answer: Answer | undefined, choice: Choice | undefined): FoundCompany | undefined {
  if (choice !== null && typeof choice === "object") return choice;
  const candidates = matchIn(answer)?.candidates;
  return candidates?.find(({ kvkNumber, match }) => (choice === undefined ? match : kvkNumber === choice));
}

/** Any error other than the registry's own "not found" or an invalid input is an outage. */
export function outcomeOf(answer: Answer | undefined, choice?: Choice): Outcome {
  if (answer === undefined) return "waiting";
  if (choice !== undefined) return "chosen";
  if ("error" in answer) return ERRORS[answer.error.code] ?? "noAnswer";
  if ("decision" in answer.result) return answer.result.decision;
  return answer.result.peppol === undefined ? "found" : "checked";
}

const ERRORS: Readonly<Record<string, Outcome>> = {
  NOT_FOUND: "notFound",
  INVALID_KVK_NUMBER: "notANumber",
  INVALID_VAT_NUMBER: "invalid",
  INVALID_REQUEST: "invalid",
};

/** Writes a score. It is rounded down: only a certain match has 100 %. */
export const scoreIn = (score: number, percent: (share: number) => string) =>
  percent(Math.floor(score) / 100);

/** Whether a person can decide about a row: it has been matched, or its number is unknown. */
export function canSettle(answer: Answer | undefined, choice: Choice | undefined): boolean {
  return matchIn(answer) !== undefined || ["chosen", "notFound"].includes(outcomeOf(answer, choice));
}

/** @param row a row of the list; without a key there was nothing to send */
export function outcomeOfRow(
  row: { readonly key: string | undefined },
  answer: Answer | undefined,
  choice?: Choice,
): Outcome {
  return row.key === undefined ? "invalid" : outcomeOf(answer, choice);
}

/** Counts of keys by outcome, and in total. */
export function countOf(answers: ReadonlyMap<string, Answer>, choices: Choices = new Map()) {
  const count = {
    ...{ found: 0, checked: 0, notFound: 0, noAnswer: 0, notANumber: 0, invalid: 0, waiting: 0 },
    ...{ matched: 0, ambiguous: 0, none: 0, chosen: 0 },
  };
  for (const [key, answer] of answers) count[outcomeOf(answer, choices.get(key))] += 1;
  return { ...count, done: answers.size };
}
