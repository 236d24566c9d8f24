import type { SearchItem } from "../contract/resources.ts";
import { totalOf } from "../contract/totals.ts";
import type { LiveSearches } from "../kvk/cache/liveSearches.ts";
import type { LiveHit } from "../kvk/liveSource.ts";
import { known } from "../lib/values.ts";
import type { FindingCriteria, SearchCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import { labelledNumber } from "../search/interpretations.ts";
import { cleanQuery } from "../search/query.ts";
import type { Answer, WhenPaid } from "./answer.ts";
import { allowedRows, type SuppressedCompanies } from "./suppression/suppressed.ts";

export interface CompletionOptions {
  readonly searches: Pick<LiveSearches, "within">;
  readonly suppressed: SuppressedCompanies;
  /** The origin of the live source's rows, such as `kvk-api`. */
  readonly origin: string;
}

/** Maximum extra wait for the live source's rows. */
const WAIT_MS = 300;
/** The origin of the registry's rows in a completed page. */
const SNAPSHOT = "snapshot";
/** Criteria other than words. */
const NARROWING = ["city", "postalCode", "legalForm", "sbiCode", "isActive", "lei", "euid"] as const;
/** KVK returns a hundred rows per call and several rows per company, so one call is enough. */
const MAX_ADDED = 25;

/**
 * Completes a search of the snapshot by words alone whose first page is not full with the search of the live source.
 * Its rows follow the exact matches of the snapshot, each company once. When the source fails, is slow or over its
 * limit, the snapshot's rows are returned with an inexact total. It is paid work, as it may call the source.
 */
export function completeSearch(
  options: CompletionOptions,
  search: () => Promise<FoundPage>,
  criteria: SearchCriteria,
): WhenPaid<Answer<FoundPage>> {
  return {
    whenPaid: async ({ accountId }) => {
      const own = await search();
      const isFull = own.results.filter(isAsTyped).length >= criteria.pageSize;
      return { kind: "found", found: isFull ? own : await addLive(options, own, criteria, accountId) };
    },
  };
}

/** Adds the live source's rows to a page. Never rejects. */
async function addLive(
  { searches, suppressed, origin }: CompletionOptions,
  found: FoundPage,
  { q = "", pageSize }: SearchCriteria,
  accountId: string,
): Promise<FoundPage> {
  const criteria = { q: liveQuery(q), includeInactive: true, page: 1, pageSize: MAX_ADDED };
  const page = await searches.within(criteria, WAIT_MS, accountId);
  if (page === undefined) return { ...found, totalIsExact: false };
  const added = allowedRows(suppressed, page.hits).map((hit) => rowOf(hit, origin));
  const own = found.results.map((row): SearchItem => ({ ...row, origin: SNAPSHOT }));
  const results = joinedRows(own, added);
  return { results: results.slice(0, pageSize), total: totalOf(results.length).total, totalIsExact: false };
}

function isAsTyped({ isFuzzy }: SearchItem): boolean {
  return isFuzzy !== true;
}

/** Whether a search is by words alone and for its first page: the live source has few other criteria. */
export function isOfWordsAlone({ q, page, ...criteria }: FindingCriteria): boolean {
  return q !== undefined && page === 1 && NARROWING.every((name) => criteria[name] === undefined);
}

/** Rows of both, each company once: exact matches, rows of the live source, then matches of a corrected query. */
function joinedRows(own: readonly SearchItem[], live: readonly SearchItem[]): SearchItem[] {
  const numbers = new Set(own.map(({ kvkNumber }) => kvkNumber));
  return [
    ...own.filter(isAsTyped),
    ...live.filter(({ kvkNumber }) => !numbers.has(kvkNumber)),
    ...own.filter((row) => !isAsTyped(row)),
  ];
}

/** Converts a hit of the live source to a row of a search. */
export function rowOf({ kvkNumber, name, city, isActive }: LiveHit, origin?: string): SearchItem {
  return { kvkNumber, name, ...known("city", city), isActive, ...known("origin", origin) };
}

/**
 * The query for the live source: plain text, or the eight digits of a KVK number that was typed with a label or a name.
 */
export function liveQuery(q: string): string {
  const text = cleanQuery(q);
  const number = labelledNumber(text);
  return number?.length === 8 ? number : text;
}
