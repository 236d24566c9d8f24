import type { AccountUsage } from "../contract/accountResources.ts";
import { type AllowancePercent, tokensAtPercent } from "../contract/accountRules.ts";
import type { LedgerOperation } from "../contract/prices.ts";
import type { DayFigures, Figures, KeyFigures, LedgerStore } from "./ledger.ts";
import { daysOfMonth, monthOf, monthStartMs } from "./periods.ts";

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

/** What a person knows a key by. The account page's own calls have a name and no key. */
export interface NameOfKey {
  readonly name: string;
  readonly lastFour?: string;
  readonly isPage?: true;
}

/** Names by key; the key of an earlier account has none. */
export type NamedKeys = ReadonlyMap<string, NameOfKey>;

/** A month, and how it is said. Days are UTC, both included. */
export interface Month {
  /** As `periods.ts` counts. */
  readonly month: number;
  /** YYYY-MM */
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

/** A month by its number, with its name, its bounds and its days. */
export function monthNamed(month: number): Month {
  const start = new Date(monthStartMs(month)).toISOString();
  const end = new Date(monthStartMs(month + 1)).toISOString();
  const { first: firstDay, last: lastDay } = daysOfMonth(month);
  return { month, name: start.slice(0, 7), start, end, firstDay, lastDay };
}

/** The month that an account's calls count in, by the store's clock as the limits do; by this one while it has made none. */
export async function presentMonth(ledger: LedgerStore, accountId: string, nowMs: number): Promise<Month> {
  const present = await ledger.spent(accountId);
  return monthNamed(present?.month ?? monthOf(nowMs));
}

/** What an account used by operation; every figure is a sum of lines of the ledger. */
interface OperationUse extends Pick<Figures, "requests" | "tokens" | "sessions" | "sessionCalls"> {
  readonly operation: LedgerOperation;
  /** Over the rate or beyond the allowance. */
  readonly refusals: number;
}

/** Sums of lines by operation, in the order in which each is met first; of what the ledger counts, so an operation that only failed is none. */
export function usageByOperation(lines: readonly DayFigures[]): readonly OperationUse[] {
  const sums = new Map<LedgerOperation, Figures>();
  for (const line of lines.filter(isInLedger)) {
    sums.set(line.operation, added(sums.get(line.operation) ?? NO_FIGURES, line));
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

/** The usage of an account in a month, with its limits. */
interface MonthOfUse {
  readonly tierName: string;
  readonly limit: number;
  readonly month: Month;
  readonly days: readonly DayFigures[];
  /** The same of test keys. */
  readonly tested?: readonly DayFigures[];
  /** The keys that spent most. */
  readonly keys: readonly KeyFigures[];
  readonly names: NamedKeys;
}

/** The usage of an account in a month; every figure is a sum of the same lines of the ledger. */
export function usageOf(use: MonthOfUse): AccountUsage {
  const { tierName, limit, month, days, tested = [], keys, names } = use;
  const all = days.reduce(added, NO_FIGURES);
  const others = keys.reduce(taken, all);
  const { requests: _requests, tokens: used, ...counted } = all;
  const { requests, tokens } = tested.reduce(added, NO_FIGURES);
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

/** Figures minus others that are part of them. */
function taken(one: Figures, other: Figures): Figures {
  return combined(one, other, (all, part) => Math.max(0, all - part));
}

/** Two figures together. */
export function added(one: Figures, other: Figures): Figures {
  return combined(one, other, (first, second) => first + second);
}

function combined(one: Figures, other: Figures, combine: (one: number, other: number) => number): Figures {
  const figures = { ...NO_FIGURES };
  for (const name of FIGURES) figures[name] = combine(one[name], other[name]);
  return figures;
}
