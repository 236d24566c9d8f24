/** The usage of an account over months and other ranges of days, from its ledger lines. */
import type { UsageMonths } from "../contract/accountResources.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { DayFigures, Figures, KeyFigures } from "./ledger.ts";
import { sumsByDay, sumsByKey, sumsByMonth } from "./ledgerReads.ts";
import type { LedgerQueries } from "./queries/ledger.ts";
import { addFigures, type Month, monthNamed, NO_FIGURES, presentMonth } from "./usage.ts";

const MONTHS = 12;

interface Ledgers {
  readonly ledger: LedgerQueries;
  /** The ledger of test keys. */
  readonly testLedger: LedgerQueries;
}

/** Returns twelve months of an account. */
export async function monthsOf(
  { ledger, testLedger }: Ledgers,
  accountId: string,
  nowMs: number,
): Promise<UsageMonths> {
  const last = await presentMonth(ledger, accountId, nowMs);
  const months = Array.from({ length: MONTHS }, (_, index) => monthNamed(last.month - MONTHS + 1 + index));
  const first = months[0]?.firstDay ?? last.firstDay;
  const [used, tested] = await Promise.all([
    sumsByMonth(ledger, accountId, first),
    sumsByMonth(testLedger, accountId, first),
  ]);
  const byName = new Map(used.map(({ month, ...figures }) => [month, figures]));
  const testByName = new Map(tested.map(({ month, requests, tokens }) => [month, { requests, tokens }]));
  return {
    months: months.map(({ name }) => {
      const test = testByName.get(name);
      return { month: name, ...(byName.get(name) ?? NO_FIGURES), ...(test && { test }) };
    }),
  };
}

/** Returns the requested month (YYYY-MM), or the one that an account's calls count in now. */
export async function requestedMonth(
  ledger: LedgerQueries,
  accountId: string,
  nowMs: number,
  name?: string,
): Promise<Month> {
  if (name === undefined) return presentMonth(ledger, accountId, nowMs);
  return monthNamed(Number(name.slice(0, 4)) * 12 + Number(name.slice(5)) - 1);
}

/** Sums a range of days, optionally of one key. */
export async function sumsOf(
  ledger: LedgerQueries,
  accountId: string,
  fromDay: string,
  toDay: string,
  keyId?: string,
): Promise<{ total: Figures; byOperation: OperationFigures[]; byKey: readonly KeyFigures[] }> {
  const keyIds = keyId === undefined ? undefined : [keyId];
  const [days, byKey] = await Promise.all([
    sumsByDay(ledger, accountId, fromDay, toDay, keyIds),
    sumsByKey(ledger, accountId, fromDay, toDay, keyIds ? { keyIds } : { limit: Number.POSITIVE_INFINITY }),
  ]);
  return { total: days.reduce<Figures>(addFigures, NO_FIGURES), byOperation: byOperationOf(days), byKey };
}

type OperationFigures = { readonly operation: LedgerOperation } & Figures;

/** Sums by operation, highest spending first. */
export function byOperationOf(lines: readonly DayFigures[]): OperationFigures[] {
  return [...Map.groupBy(lines, ({ operation }) => operation)]
    .map(([operation, ofIt]) => ({ operation, ...ofIt.reduce<Figures>(addFigures, NO_FIGURES) }))
    .sort((one, other) => other.tokens - one.tokens || other.requests - one.requests);
}
