import type { SearchItem } from "../contract/resources.ts";
import { totalOf } from "../contract/totals.ts";
import type { LiveSearches } from "../kvk/cache/liveSearches.ts";
import type { LiveHit } from "../kvk/liveSource.ts";
import { inTurns } from "../lib/steps.ts";
import { known } from "../lib/values.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import { cleanQuery } from "../search/query.ts";
import { labelledNumber } from "../search/queryRewrites.ts";
import type { Answer, SearchResult } from "./answer.ts";
import { allowedRows, type SuppressedCompanies } from "./suppression/suppressed.ts";

export interface CompletionOptions {
  readonly searches: Pick<LiveSearches, "within">;
  readonly suppressed: SuppressedCompanies;
  /** Where the rows of the live source come from, such as `kvk-api`. */
  readonly origin: string;
}

/** A caller has the snapshot's rows already: so much longer it waits for those of the live source at most. */
const WAIT_MS = 300;
/** `origin` of rows of the registry, next to rows of a live source. */
const SNAPSHOT = "snapshot";
/** Criteria other than words. */
const NARROWING = ["city", "postalCode", "legalForm", "sbiCode", "isActive"] as const;
/** A source that answers with a hundred rows at once, of which a company has some, gives these in one call. */
const MAX_ADDED = 25;

/**
 * Where the snapshot has too little: a search by words alone whose first page is not full is completed by the search of the live
 * source. Its rows come behind those of the snapshot that are as typed, a company once. A source that is away, slow or asked too often takes nothing
 * away: the snapshot's rows are told all the same, and that there may be more.
 */
export class Completion {
  readonly #options: CompletionOptions;

  constructor(options: CompletionOptions) {
    this.#options = options;
  }

  /** Completes a search of the snapshot. That may leave the process, so it is work that is paid for first. */
  completed(result: SearchResult<FoundPage>, criteria: SearchCriteria): SearchResult<FoundPage> {
    if (!isOfWordsAlone(criteria) || result.kind !== "in-steps") return result;
    const run = async (accountId: string): Promise<Answer<FoundPage>> => {
      const own = await inTurns(result.steps);
      const isFull = own.results.filter(isAsTyped).length >= criteria.pageSize;
      return { kind: "found", found: isFull ? own : await this.#complete(own, criteria, accountId) };
    };
    return { kind: "paid-work", run };
  }

  /** The page with what the live source adds. Never rejects. */
  async #complete(found: FoundPage, criteria: SearchCriteria, accountId: string): Promise<FoundPage> {
    const { searches, suppressed, origin } = this.#options;
    const { q = "", pageSize } = criteria;
    const asked = { q: liveQuery(q), includeInactive: true, page: 1, pageSize: MAX_ADDED };
    const page = await searches.within(asked, WAIT_MS, accountId);
    if (page === undefined) return { ...found, totalIsExact: false };
    const added = allowedRows(suppressed, page.hits).map((hit) => rowOf(hit, origin));
    const own = found.results.map((row): SearchItem => ({ ...row, origin: SNAPSHOT }));
    const results = joinedRows(own, added);
    return {
      results: results.slice(0, pageSize),
      total: totalOf(results.length).total,
      totalIsExact: false,
    };
  }
}

function isAsTyped({ isFuzzy }: SearchItem): boolean {
  return isFuzzy !== true;
}

/** Whether a search has words alone, and asks for its first page: the live source knows few other criteria. */
function isOfWordsAlone({ q, page, ...criteria }: SearchCriteria): boolean {
  return q !== undefined && page === 1 && NARROWING.every((name) => criteria[name] === undefined);
}

/** Rows of both, each company once: those found as typed, those of the live source, then those found by correcting the query. */
function joinedRows(own: readonly SearchItem[], live: readonly SearchItem[]): SearchItem[] {
  const numbers = new Set(own.map(({ kvkNumber }) => kvkNumber));
  return [
    ...own.filter(isAsTyped),
    ...live.filter(({ kvkNumber }) => !numbers.has(kvkNumber)),
    ...own.filter((row) => !isAsTyped(row)),
  ];
}

/** What the live source tells of a company, as a row of a search. */
export function rowOf({ kvkNumber, name, city, isActive }: LiveHit, origin?: string): SearchItem {
  return { kvkNumber, name, ...known("city", city), isActive, ...known("origin", origin) };
}

/** The query as the live source reads it: plain text, or the eight digits of a KVK number that came with its label or a name. */
export function liveQuery(q: string): string {
  const text = cleanQuery(q);
  const number = labelledNumber(text);
  return number?.length === 8 ? number : text;
}
