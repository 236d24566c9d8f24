/**
 * A registry that a service grew by itself holds what was asked for so far, and no more: the live source goes on answering where there is one, and what was learned
 * adds what that cannot find, a beginning or a slip, and stands in while it is away.
 */
import { isLearned } from "../company/learned.ts";
import type { SearchItem } from "../contract/resources.ts";
import { totalOf } from "../contract/totals.ts";
import { known } from "../lib/values.ts";
import type { SearchCriteria } from "../search/criteria.ts";
import type { FoundPage } from "../search/finder.ts";
import type { Snapshot } from "../snapshot/types.ts";
import type { Answer } from "./answer.ts";

/** What rows of a registry say in `origin`, beside those of a live source. */
export const SNAPSHOT = "snapshot";

/** What narrows a search: the live source lacks most of it, and is asked for words alone. */
const NARROWING = ["city", "postalCode", "legalForm", "sbiCode", "isActive"] as const;

/** Whether all that a registry holds was learned. */
export function isGrown({ info }: Snapshot): boolean {
  return info.origins.every(({ origin }) => isLearned(origin));
}

/** Whether a search is one that both can be asked: by words alone, its first page. */
export function isOfWordsAlone({ q, page, ...criteria }: SearchCriteria): boolean {
  return q !== undefined && page === 1 && NARROWING.every((name) => criteria[name] === undefined);
}

/** Rows of both, a company once: as typed first, those of the live source next, last what was found by correcting what was typed. */
export function joinedRows<Row extends { readonly kvkNumber: string; readonly isFuzzy?: boolean }>(
  own: readonly Row[],
  live: readonly Row[],
): Row[] {
  const numbers = new Set(own.map(({ kvkNumber }) => kvkNumber));
  const isAsTyped = ({ isFuzzy }: Row) => isFuzzy !== true;
  return [
    ...own.filter(isAsTyped),
    ...live.filter(({ kvkNumber }) => !numbers.has(kvkNumber)),
    ...own.filter((row) => !isAsTyped(row)),
  ];
}

/**
 * What the live source answered, with what was learned where that is more.
 * @param pageSize how many rows are wanted, and `origin` where those of the live source come from, which tells rows of both apart
 */
export function withLearned(
  answer: Answer<FoundPage>,
  { results: own }: FoundPage,
  { pageSize, origin }: { readonly pageSize: number; readonly origin: string | undefined },
): Answer<FoundPage> {
  if (answer.kind === "unavailable") {
    if (own.length === 0) return answer;
    return {
      kind: "found",
      found: { results: own.slice(0, pageSize), total: own.length, totalIsExact: false },
    };
  }
  if (answer.kind !== "found") return answer;
  const { results, total } = answer.found;
  const numbers = new Set(results.map(({ kvkNumber }) => kvkNumber));
  const added = own.filter(({ kvkNumber }) => !numbers.has(kvkNumber));
  if (added.length === 0 || results.length >= pageSize) return answer;
  const from = (rows: readonly SearchItem[], name: string | undefined) =>
    rows.map((row): SearchItem => ({ ...row, ...known("origin", name) }));
  const all = [...from(results, origin), ...from(added, SNAPSHOT)];
  return {
    kind: "found",
    found: {
      results: all.slice(0, pageSize),
      total: totalOf(total + added.length).total,
      totalIsExact: false,
    },
  };
}
