import type { AccountUsage } from "../contract/accountResources.ts";
import { type AllowancePercent, tokensAtPercent } from "../contract/accountRules.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import { daysOfMonth, monthOf, monthStartMs } from "../lib/periods.ts";
import type { DayFigures, Figures, KeyFigures } from "./ledger.ts";
import type { LedgerQueries } from "./queries/ledger.ts";

export const NO_FIGURES = {
  requests: 0,
  tokens: 0,
  refusedByRate: 0,
  refusedByAllowance: 0,
  sessions: 0,
  sessionCalls: 0,
  failedByCaller: 0,
  failedByService: 0,
} satisfies Figures;
const FIGURES = Object.keys(NO_FIGURES) as (keyof Figures)[];

/** How a key is shown to its owner. The account page's own calls have a name and no key. */
export interface NameOfKey {
  readonly name: string;
  readonly lastFour?: string;
  readonly isPage?: true;
}

/** Names by key id. */
export type NamedKeys = ReadonlyMap<string, NameOfKey>;

/** A month with its bounds. Days are UTC, both included. */
export interface Month {
  /** As in `periods.ts`. */
  readonly month: number;
  /** YYYY-MM */
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Returns a month by its number. */
export function monthNamed(month: number): Month {
  const start = new Date(monthStartMs(month)).toISOString();
  const end = new Date(monthStartMs(month + 1)).toISOString();
  const { first: firstDay, last: lastDay } = daysOfMonth(month);
  return { month, name: start.slice(0, 7), start, end, firstDay, lastDay };
}

/** Returns the month that an account's calls count in. The store's clock decides it, before the first call `nowMs`. */
export async function presentMonth(ledger: LedgerQueries, accountId: string, nowMs: number): Promise<Month> {
  const present = await ledger.spent(accountId);
  return monthNamed(present?.month ?? monthOf(nowMs));
}

/** An account's usage of one operation, summed over ledger lines. */
interface OperationUse extends Pick<Figures, "requests" | "tokens" | "sessions" | "sessionCalls"> {
  readonly operation: LedgerOperation;
  /** Calls over the rate limit or the allowance. */
  readonly refusals: number;
}

/** Sums lines by operation, in order of first appearance, without operations that have only failed calls. */
export function usageByOperation(lines: readonly DayFigures[]): readonly OperationUse[] {
  const sums = new Map<LedgerOperation, Figures>();
  for (const line of lines.filter(isInLedger)) {
    sums.set(line.operation, addFigures(sums.get(line.operation) ?? NO_FIGURES, line));
  }
  return [...sums].map(([operation, { requests, tokens, sessions, sessionCalls, ...refused }]) => ({
    operation,
    requests,
    tokens,
    refusals: refused.refusedByRate + refused.refusedByAllowance,
    sessions,
    sessionCalls,
  }));
}

function isInLedger({ requests, tokens, refusedByRate, refusedByAllowance }: Figures): boolean {
  return requests + tokens + refusedByRate + refusedByAllowance > 0;
}

/** The input of {@link usageOf}. */
interface MonthOfUse {
  readonly tierName: string;
  readonly limit: number;
  readonly month: Month;
  readonly days: readonly DayFigures[];
  /** Days of test keys. */
  readonly tested?: readonly DayFigures[];
  /** The keys with the highest spending. */
  readonly keys: readonly KeyFigures[];
  readonly names: NamedKeys;
}

/** Returns the usage of an account in a month. Every figure is a sum of the same ledger lines. */
export function usageOf(use: MonthOfUse): AccountUsage {
  const { tierName, limit, month, days, tested = [], keys, names } = use;
  const all = days.reduce(addFigures, NO_FIGURES);
  const others = keys.reduce(subtractFigures, all);
  const { requests: _requests, tokens: used, ...counted } = all;
  const { requests, tokens } = tested.reduce(addFigures, NO_FIGURES);
  const notice = percentOf(used, limit);
  return {
    tier: tierName,
    period: { start: month.start, end: month.end },
    limit,
    used,
    remaining: Math.max(0, limit - used),
    ...(notice !== undefined && { notice }),
    ...counted,
    ...(tested.length > 0 && { test: { requests, tokens } }),
    byDay: [...days],
    byKey: keys.map((figures) => ({ ...names.get(figures.keyId), ...figures })),
    ...(Object.values(others).some((figure) => figure > 0) && { otherKeys: others }),
  };
}

function percentOf(used: number, limit: number): AllowancePercent | undefined {
  if (used >= limit) return 100;
  return used >= tokensAtPercent(80, limit) ? 80 : undefined;
}

/** Subtracts figures that are part of others. */
function subtractFigures(one: Figures, other: Figures): Figures {
  return combineFigures(one, other, (all, part) => Math.max(0, all - part));
}

/** Adds two figures. */
export function addFigures(one: Figures, other: Figures): Figures {
  return combineFigures(one, other, (first, second) => first + second);
}

function combineFigures(
  one: Figures,
  other: Figures,
  combine: (one: number, other: number) => number,
): Figures {
  const figures = { ...NO_FIGURES };
  for (const name of FIGURES) figures[name] = combine(one[name], other[name]);
  return figures;
}
