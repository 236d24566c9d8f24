import type { AccountUsage } from "../../contract/accountResources.ts";
import { monthEndSeconds, monthOf, monthStartMs } from "../../metering/periods.ts";
import type { LedgerLine, LedgerStore } from "../../metering/store.ts";

type Figures = Pick<LedgerLine, "requests" | "tokens" | "refusedByRate" | "refusedByAllowance">;

export const NO_FIGURES: Figures = { requests: 0, tokens: 0, refusedByRate: 0, refusedByAllowance: 0 };
const NOTICE_FROM = 0.8;

/** What a person knows keys by; the key of an earlier account has none of it. */
export type NamedKeys = ReadonlyMap<string, { readonly name: string; readonly lastFour: string }>;

/** A month, and how it is said. Days are UTC, both included. */
export interface Month {
  /** As `metering/periods.ts` counts. */
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
  const [startMs, endMs] = [monthStartMs(month), monthEndSeconds(month) * 1_000];
  const start = new Date(startMs).toISOString();
  return {
    month,
    name: start.slice(0, 7),
    start,
    end: new Date(endMs).toISOString(),
    firstDay: start.slice(0, 10),
    lastDay: new Date(endMs - 1).toISOString().slice(0, 10),
  };
}

/** The month that an account's calls count in, by the store's clock as the limits do; by this one while it has made none. */
export async function presentMonth(ledger: LedgerStore, accountId: string, nowMs: number): Promise<Month> {
  const present = await ledger.spent(accountId);
  return monthNamed(present?.month ?? monthOf(nowMs));
}

/** The figures of lines together, by what `of` makes of a line. */
export function figuresBy<T>(
  lines: readonly LedgerLine[],
  of: (line: LedgerLine) => T,
): ReadonlyMap<T, Figures> {
  const sums = new Map<T, Figures>();
  for (const line of lines) {
    const name = of(line);
    sums.set(name, added(sums.get(name) ?? NO_FIGURES, line));
  }
  return sums;
}

/** What an account used in a month; every figure is a sum of the same lines. */
export function usageOf({
  tierName,
  limit,
  month,
  lines,
  keys,
}: {
  readonly tierName: string;
  readonly limit: number;
  readonly month: Month;
  readonly lines: readonly LedgerLine[];
  readonly keys: NamedKeys;
}): AccountUsage {
  const all = lines.reduce(added, NO_FIGURES);
  const used = all.tokens;
  const notice = used >= limit ? 100 : used >= limit * NOTICE_FROM ? 80 : undefined;
  return {
    tier: tierName,
    period: { start: month.start, end: month.end },
    limit,
    used,
    remaining: Math.max(0, limit - used),
    ...(notice !== undefined && { notice }),
    refusedByRate: all.refusedByRate,
    refusedByAllowance: all.refusedByAllowance,
    byDay: byDay(lines),
    byKey: [...figuresBy(lines, ({ keyId }) => keyId)]
      .map(([keyId, figures]) => {
        return { keyId, ...keys.get(keyId), ...figures };
      })
      .sort((one, other) => other.tokens - one.tokens || other.requests - one.requests),
  };
}

/** Lines come by day, key and operation; here the keys are put together. */
function byDay(lines: readonly LedgerLine[]): AccountUsage["byDay"] {
  const rows = new Map<string, AccountUsage["byDay"][number]>();
  for (const line of lines) {
    const { day, operation } = line;
    const name = `${day} ${operation}`;
    rows.set(name, { day, operation, ...added(rows.get(name) ?? NO_FIGURES, line) });
  }
  return [...rows.values()];
}

function added(one: Figures, other: Figures): Figures {
  return {
    requests: one.requests + other.requests,
    tokens: one.tokens + other.tokens,
    refusedByRate: one.refusedByRate + other.refusedByRate,
    refusedByAllowance: one.refusedByAllowance + other.refusedByAllowance,
  };
}
