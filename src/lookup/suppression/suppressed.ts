/** The one place where what is on the suppression list is taken out of answers, and of what upstreams tell before it is kept. */
import type { KvkNumber } from "../../contract/numbers.ts";
import type { LivePage, LiveSource } from "../../kvk/liveSource.ts";
import type { FoundPage } from "../../search/finder.ts";
import type { Verdict } from "../../vat/verdicts/verdict.ts";
import type { ViesUpstream } from "../../vat/vies/upstream.ts";
import type { Absent, Answer } from "../answer.ts";

/** Companies that must be neither told nor kept. */
export interface SuppressedCompanies {
  readonly size: number;
  has(kvkNumber: string): boolean;
}

/** VAT numbers with which no name and no address may be told or kept. */
export interface SuppressedVatNumbers {
  hasVatNumber(vatNumber: string): boolean;
}

/** The whole list. */
export interface Suppressed extends SuppressedCompanies, SuppressedVatNumbers {}

/** The whole list, and the word of the store by which it is seen whether it is still the one that is stored. */
export interface MarkedSuppression extends Suppressed {
  readonly mark: string;
}

export const NOTHING_SUPPRESSED: Suppressed = {
  size: 0,
  has: () => false,
  hasVatNumber: () => false,
};

/** What is told of a company: of a suppressed one that it is absent, so that nobody is asked for it. */
export function allowedAnswer<Told extends Answer<unknown> | undefined>(
  suppressed: SuppressedCompanies,
  kvkNumber: KvkNumber,
  answer: Told,
): Told | Absent {
  return suppressed.has(kvkNumber) ? { kind: "absent", kvkNumber } : answer;
}

/** The rows that may be told. */
export function allowedRows<Row extends { readonly kvkNumber: string }>(
  suppressed: SuppressedCompanies,
  rows: readonly Row[],
): Row[] {
  return rows.filter(({ kvkNumber }) => !suppressed.has(kvkNumber));
}

/** A page of a search without them; an exact total is so much smaller. */
export function allowedPage(suppressed: SuppressedCompanies, page: FoundPage): FoundPage {
  const results = allowedRows(suppressed, page.results);
  if (page.totalIsExact === false) return { ...page, results };
  return { ...page, results, total: page.total - page.results.length + results.length };
}

/** All companies of a snapshot, as an export writes them. */
export function* allowedCompanies<Row extends { readonly company: { readonly kvkNumber: string } }>(
  suppressed: SuppressedCompanies,
  rows: Iterable<Row>,
): Generator<Row> {
  for (const row of rows) if (!suppressed.has(row.company.kvkNumber)) yield row;
}

/** A verdict, without name and address where these may not be told. */
export function allowedVerdict(
  suppressed: SuppressedVatNumbers,
  vatNumber: string,
  verdict: Verdict,
): Verdict {
  if (!("validatedAt" in verdict) || !suppressed.hasVatNumber(vatNumber)) return verdict;
  const { name: _name, address: _address, ...rest } = verdict;
  return rest;
}

/** A live source whose searches bring no suppressed company, so that none is kept. */
export function searchingWithout(
  suppressed: SuppressedCompanies,
  source: Pick<LiveSource, "search">,
): Pick<LiveSource, "search"> {
  return {
    async search(criteria, deadline) {
      const result = await source.search(criteria, deadline);
      return result.kind === "found" ? { ...result, value: allowedHits(suppressed, result.value) } : result;
    },
  };
}

/** VIES as it is asked, whose answers bring no name and address that may not be kept. */
export function askingWithout(
  suppressed: SuppressedVatNumbers,
  ask: ViesUpstream["check"],
): ViesUpstream["check"] {
  return async (number, requester, deadline) => {
    const result = await ask(number, requester, deadline);
    if (result.kind !== "answer" || !suppressed.hasVatNumber(number.vatNumber)) return result;
    const { name: _name, address: _address, ...rest } = result;
    return rest;
  };
}

function allowedHits(suppressed: SuppressedCompanies, { hits, total, isTotalExact }: LivePage): LivePage {
  const allowed = allowedRows(suppressed, hits);
  return { hits: allowed, total: total - hits.length + allowed.length, isTotalExact };
}
