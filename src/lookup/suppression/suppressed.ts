/**
 * The only place where suppressed companies are removed from answers, and from upstream responses before these are
 * stored.
 */
import type { KvkNumber } from "../../contract/numbers.ts";
import type { LiveSource } from "../../kvk/liveSource.ts";
import type { FoundPage } from "../../search/finder.ts";
import type { Verdict } from "../../vat/verdicts/verdict.ts";
import type { ViesUpstream } from "../../vat/vies/upstream.ts";
import type { Absent, Answer } from "../answer.ts";

/** The suppression list. */
export interface Suppressed {
  /** The number of companies. */
  readonly size: number;
  /** Whether a company must be neither returned nor stored. */
  has(kvkNumber: string): boolean;
  /** Whether name and address of a VAT number must be neither returned nor stored. */
  hasVatNumber(vatNumber: string): boolean;
  /** Whether a company has ended by KVK's open data, which the registry may not know. */
  hasEnded?(kvkNumber: string): boolean;
}
export type SuppressedCompanies = Pick<Suppressed, "size" | "has" | "hasEnded">;
export type SuppressedVatNumbers = Pick<Suppressed, "hasVatNumber">;

/** The list, and its mark in the store, which changes with it. */
export interface MarkedSuppression extends Suppressed {
  readonly mark: string;
}

export const NOTHING_SUPPRESSED: Suppressed = { size: 0, has: () => false, hasVatNumber: () => false };

/** An answer about a company; a suppressed company is absent, so that no upstream is called for it. */
export function allowedAnswer<Found, A extends Answer<Found> | undefined>(
  suppressed: SuppressedCompanies,
  kvkNumber: KvkNumber,
  answer: A,
  asEnded = (found: Found): Found => found,
): A | Absent | Answer<Found> {
  if (suppressed.has(kvkNumber)) return { kind: "absent", kvkNumber };
  const isEnded = answer?.kind === "found" && suppressed.hasEnded?.(kvkNumber) === true;
  return isEnded ? { kind: "found", found: asEnded(answer.found) } : answer;
}

/** The rows without suppressed companies. Those that have ended say so. */
export function allowedRows<Row extends { readonly kvkNumber: string }>(
  suppressed: SuppressedCompanies,
  rows: readonly Row[],
): Row[] {
  const allowed = rows.filter(({ kvkNumber }) => !suppressed.has(kvkNumber));
  const isEnded = (row: Row) => suppressed.hasEnded?.(row.kvkNumber) === true;
  return allowed.map((row) => (isEnded(row) ? { ...row, isActive: false } : row));
}

/**
 * A page of a search without companies that are suppressed or have another status; an exact total excludes them too.
 */
export function allowedPage(suppressed: SuppressedCompanies, page: FoundPage, isActive?: boolean): FoundPage {
  const rows = allowedRows(suppressed, page.results);
  const results = rows.filter((row) => isActive === undefined || row.isActive === isActive);
  if (page.totalIsExact === false) return { ...page, results };
  return { ...page, results, total: page.total - page.results.length + results.length };
}

/** The companies of a snapshot without suppressed ones, for an export. */
export function* allowedCompanies<Row extends { readonly company: { readonly kvkNumber: string } }>(
  suppressed: SuppressedCompanies,
  rows: Iterable<Row>,
): Generator<Row> {
  for (const row of rows) if (!suppressed.has(row.company.kvkNumber)) yield row;
}

/** A verdict, without name and address if these are suppressed. */
export function allowedVerdict(
  suppressed: SuppressedVatNumbers,
  vatNumber: string,
  verdict: Verdict,
): Verdict {
  if (!("validatedAt" in verdict) || !suppressed.hasVatNumber(vatNumber)) return verdict;
  const { name: _name, address: _address, ...rest } = verdict;
  return rest;
}

/** A live source that leaves suppressed companies out of its searches, so that they are not stored. */
export function withoutSuppressedHits(
  suppressed: SuppressedCompanies,
  source: Pick<LiveSource, "search">,
): Pick<LiveSource, "search"> {
  return {
    async search(criteria, deadline) {
      const result = await source.search(criteria, deadline);
      if (result.kind !== "found") return result;
      const { hits, total, isTotalExact } = result.value;
      const allowed = allowedRows(suppressed, hits);
      const value = { hits: allowed, total: total - hits.length + allowed.length, isTotalExact };
      return { ...result, value };
    },
  };
}

/** VIES without suppressed names and addresses in its answers. */
export function withoutSuppressedDetails(
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
