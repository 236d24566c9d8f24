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
 * then all of them in the largest that was not, whose process was kept for it.
 */
export async function climb(other: Other, wishes: Wishes, say: (line: string) => void): Promise<OtherResult> {
  const tried = wishes.queries.filter((_, index) => index % TRIED_ONE_OF === 0);
  const sizes = sizesUpTo(wishes.companies);
  let limit: string | undefined;
  let held: FilledEngineProcess | undefined;
  /** What comes of a step; undefined where it was too much. */
  const borne = async <T>(companies: number, step: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      limit = `${companies.toLocaleString("en")}: ${error.message}`;
      say(`${other.title}: too much with ${limit}`);
      return undefined;
    }
  };
  const fill = (companies: number): Promise<FilledEngineProcess> => {
    say(`${other.title}: ${companies.toLocaleString("en")} companies`);
    return FilledEngineProcess.start(other, companies, wishes.wanted);
  };
  try {
    for (const companies of sizes) {
      const next = await borne(companies, async () => {
        const filled = await fill(companies);
        await filled.ask(tried).catch((error) => filled.stop().then(() => Promise.reject(error)));
        return filled;
      });
      if (next === undefined) break;
      await held?.stop();
      held = next;
    }
    for (const companies of sizes.filter((size) => size <= (held?.companies ?? 0)).reverse()) {
      const answers = await borne(companies, async () => {
        if (held?.companies !== companies) {
          await held?.stop();
          held = await fill(companies);
        }
        say(`${other.title}: ${companies.toLocaleString("en")} companies, ${wishes.queries.length} queries`);
        return held.ask(wishes.queries);
      });
      if (answers !== undefined) return { other, companies, answers, ...(limit !== undefined && { limit }) };
    }
    return { other, companies: 0, answers: [], ...(limit !== undefined && { limit }) };
  } finally {
    await held?.stop();
  }
}

/** Each twice the one before, the last as asked. */
function sizesUpTo(companies: number): number[] {
  const sizes: number[] = [];
  for (let size = FIRST_SIZE; size < companies; size *= 2) sizes.push(size);
  return [...sizes, companies];
}

/** A registry is larger than the limits allow an engine. */
class TooMuch extends Error {}

/** An engine that holds a registry, in a process of its own. */
class FilledEngineProcess {
  readonly companies: number;
  readonly #helper: Helper;

  private constructor(helper: Helper, companies: number) {
    this.#helper = helper;
    this.companies = companies;
  }

  /** @throws {TooMuch} */
  static async start(
    other: Other,
    companies: number,
    wanted: readonly NamedCompany[],
  ): Promise<FilledEngineProcess> {
    const words = [`--max-old-space-size=${HEAP_LIMIT_MIB}`];
    const filled = new FilledEngineProcess(
      new Helper(new URL("process.ts", import.meta.url), words),
      companies,
    );
    try {
      await filled.#put({ engine: other.id, companies, wanted });
      return filled;
    } catch (error) {
      await filled.stop();
      throw error;
    }
  }

  /** One answer for each query. @throws {TooMuch} also when too many of them come too late */
  async ask(queries: readonly string[]): Promise<readonly Answer[]> {
    const said = await this.#put({ queries });
    if (!("answers" in said)) throw new Error("the engine did not answer");
    if (lateShare(said.answers) > 1 - LEAST_SHARE_ANSWERED) throw new TooMuch(TOO_LATE);
    return said.answers.map(inTime);
  }

  stop(): Promise<void> {
    return this.#helper.stop();
  }

  async #put(question: Question): Promise<Said> {
    const said = (await this.#helper.ask(question).catch(() => {
      throw new TooMuch(`its process ended, as one does that needs more than ${HEAP_LIMIT_MIB / 1_024} GiB`);
    })) as Said;
    if ("failed" in said) throw new TooMuch(said.failed);
    return said;
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
