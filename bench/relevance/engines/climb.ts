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

/** Queries are asked in so many parts, each spread over all of them, so that what is too slow is known early. */
const PARTS = 20;

/** Asks an engine in one registry after the other, each twice as large, until one is too much for it. */
export async function climb(other: Other, wishes: Wishes, say: (line: string) => void): Promise<OtherResult> {
  let best: OtherResult = { other, companies: 0, answers: [] };
  let companies = Math.min(FIRST_SIZE, wishes.companies);
  for (;;) {
    say(`${other.title}: ${companies.toLocaleString("en")} companies`);
    try {
      best = { other, companies, answers: await askInProcess(other, { ...wishes, companies }) };
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      say(`${other.title}: too many, ${error.message}`);
      return { ...best, limit: `${companies.toLocaleString("en")}: ${error.message}` };
    }
    if (companies === wishes.companies) return best;
    companies = Math.min(2 * companies, wishes.companies);
  }
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
    const answers: Answer[] = new Array(queries.length);
    let late = 0;
    for (let part = 0; part < PARTS; part++) {
      const places = queries.flatMap((_, place) => (place % PARTS === part ? [place] : []));
      const said = await put({ queries: places.map((place) => queries[place] ?? "") });
      if (!("answers" in said)) throw new Error(`${other.title} did not answer`);
      for (const [index, place] of places.entries()) {
        const answer = inTime(said.answers[index]);
        answers[place] = answer;
        if (answer.isLate) late++;
      }
      if (late > (1 - LEAST_SHARE_ANSWERED) * queries.length) throw new TooMuch(TOO_LATE);
    }
    return answers;
  } finally {
    await helper.stop();
  }
}

const TOO_LATE = `more than ${Math.round((1 - LEAST_SHARE_ANSWERED) * 100)} % of its answers take over ${QUERY_LIMIT_MS / 1_000} s`;

/** An answer that came too late is none. */
function inTime(
  answer: Answer = { hits: [], us: Number.POSITIVE_INFINITY },
): Answer & { readonly isLate: boolean } {
  const isLate = answer.us > QUERY_LIMIT_MS * 1_000;
  return { hits: isLate ? [] : answer.hits, us: answer.us, isLate };
}
