import type { CompanyFacts } from "../../src/company/facts.ts";
import type { Operation } from "../../src/contract/prices.ts";
import type { Random } from "../../src/demo/random.ts";
import type { SetupName } from "../setups.ts";

/** A call without its key. */
export interface CaseCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One thing that is measured. Every case has an account of its own, so that the ledger can be read case by case. */
export interface BenchCase {
  readonly name: string;
  /** What a call of it is, for the report. */
  readonly title: string;
  readonly operation: Operation;
  /** The status that every answer must have. */
  readonly expected: number;
  /** Another status that is no failure: what a limited key gets for the first call of a minute. */
  readonly tolerated?: number;
  /** A key that may make as many calls as it likes, or one that is refused after the first of a minute. */
  readonly tier: "unlimited" | "one-a-minute";
  /** Companies that one answer delivers. */
  readonly itemsPerAnswer: number;
  /** Where it is measured; on the embedded state, unless it is given. */
  readonly setups?: readonly SetupName[];
  /** Accounts, each with a key, that make the calls in turn; 1 unless it is given. */
  readonly accounts?: number;
  /** Connections of the client; those of the run, unless it is given. */
  readonly connections?: number;
  /** The least share of the bare server's calls per second that the project promises. */
  readonly leastRatio?: Partial<Readonly<Record<SetupName, number>>>;
  /** What an answer may take longer than the bare server's at most, at the median, microseconds. */
  readonly mostAddedUs?: number;
  /** Each call is made once before anything is measured, and from then on names the tag of the answer that it got. */
  readonly holdsAnswers?: true;
  /** VIES answers during the warm-up and hangs afterwards. */
  readonly viesHangs?: boolean;
  /** Calls to make in turn, out of companies that the registry holds. */
  readonly calls: (companies: readonly CompanyFacts[], random: Random) => readonly CaseCall[];
}

/** How many different calls a case makes before it begins anew. */
export const DIFFERENT_CALLS = 5_000;

/** So many calls, each made from a company picked at random. */
export function callsFrom(
  companies: readonly CompanyFacts[],
  random: Random,
  make: (company: CompanyFacts) => CaseCall,
  differentCalls = DIFFERENT_CALLS,
): readonly CaseCall[] {
  return Array.from({ length: differentCalls }, () => make(random.pick(companies)));
}
