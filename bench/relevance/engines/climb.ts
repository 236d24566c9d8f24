import { Helper } from "../../processes.ts";
import { FIRST_SIZE, HEAP_LIMIT_MIB, LEAST_SHARE_ANSWERED, QUERY_LIMIT_MS } from "../limits.ts";
import type { NamedCompany } from "../names.ts";
import type { Answer } from "./engine.ts";
import type { Other } from "./others.ts";
import type { Question, Said } from "./process.ts";

/** What another engine answered in the largest registry that it could bear. */
export interface OtherResult {
  readonly other: Other;
  readonly companies: number;
  /** One for each query; none where it could not bear the smallest registry. */
  readonly answers: readonly Answer[];
  /** Why a larger registry was too much; absent where the whole one was not. */
  readonly limit?: string;
}

export interface Wishes {
  readonly companies: number;
  readonly queries: readonly string[];
  readonly wanted: readonly NamedCompany[];
}

/** One query of so many, from all classes, tells whether a registry is too much. */
const TRIED_ONE_OF = 10;

/**
 * Asks an engine some of the queries in one registry after the other, each twice as large, until one is too much for it, and
 * then all of them in the largest that was not.
 */
export async function climb(other: Other, wishes: Wishes, say: (line: string) => void): Promise<OtherResult> {
  const tried = wishes.queries.filter((_, index) => index % TRIED_ONE_OF === 0);
  const sizes = sizesUpTo(wishes.companies);
  let limit: string | undefined;
  const bear = async (
    companies: number,
    queries: readonly string[],
  ): Promise<readonly Answer[] | undefined> => {
    say(`${other.title}: ${companies.toLocaleString("en")} companies, ${queries.length} queries`);
    try {
      const answers = await askInProcess(other, { ...wishes, companies, queries });
      if (lateShare(answers) > 1 - LEAST_SHARE_ANSWERED) throw new TooMuch(TOO_LATE);
      return answers.map(inTime);
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      limit = `${companies.toLocaleString("en")}: ${error.message}`;
      say(`${other.title}: too much with ${limit}`);
      return undefined;
    }
  };
  let borne = 0;
  for (const companies of sizes) {
    if ((await bear(companies, tried)) === undefined) break;
    borne++;
  }
  for (const companies of sizes.slice(0, borne).reverse()) {
    const answers = await bear(companies, wishes.queries);
    if (answers !== undefined) return { other, companies, answers, ...(limit !== undefined && { limit }) };
  }
  return { other, companies: 0, answers: [], ...(limit !== undefined && { limit }) };
}

/** Each twice the one before, the last as asked. */
function sizesUpTo(companies: number): number[] {
  const sizes: number[] = [];
  for (let size = FIRST_SIZE; size < companies; size *= 2) sizes.push(size);
  return [...sizes, companies];
}

/** A registry is larger than the limits allow an engine. */
class TooMuch extends Error {}

/** @throws {TooMuch} */
async function askInProcess(
  other: Other,
  { companies, queries, wanted }: Wishes,
): Promise<readonly Answer[]> {
  const words = [`--max-old-space-size=${HEAP_LIMIT_MIB}`];
  const helper = new Helper(new URL("process.ts", import.meta.url), words);
  const put = async (question: Question): Promise<Said> => {
    const said = (await helper.ask(question).catch(() => {
      throw new TooMuch(`its process ended, as one does that needs more than ${HEAP_LIMIT_MIB / 1_024} GiB`);
    })) as Said;
    if ("failed" in said) throw new TooMuch(said.failed);
    return said;
  };
  try {
    await put({ engine: other.id, companies, wanted });
    const said = await put({ queries });
    if (!("answers" in said)) throw new Error(`${other.title} did not answer`);
    return said.answers;
  } finally {
    await helper.stop();
  }
}

const TOO_LATE = `more than ${Math.round((1 - LEAST_SHARE_ANSWERED) * 100)} % of its answers take over ${QUERY_LIMIT_MS / 1_000} s`;

const isLate = ({ us }: Answer): boolean => us > QUERY_LIMIT_MS * 1_000;

function lateShare(answers: readonly Answer[]): number {
  return answers.filter(isLate).length / Math.max(1, answers.length);
}

/** An answer that came too late is none. */
function inTime(answer: Answer): Answer {
  return isLate(answer) ? { hits: [], us: answer.us } : answer;
}
