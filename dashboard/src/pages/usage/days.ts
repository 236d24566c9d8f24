import type { AccountUsage } from "../../../../src/contract/accountResources.ts";
import type { LedgerOperation } from "../../../../src/contract/prices.ts";
import { failedIn } from "./UsageTable.tsx";

/** What the bars of the chart measure. */
export const MEASURES = ["tokens", "requests", "failed"] as const;
export type Measure = (typeof MEASURES)[number];

/** A day of the chart: its label, and a figure for each operation that the month saw. */
export type DayRow = { readonly day: string } & Readonly<Partial<Record<LedgerOperation, number>>>;

const DAY_MS = 86_400_000;

function measured(line: AccountUsage["byDay"][number], measure: Measure): number {
  return measure === "failed" ? failedIn(line) : line[measure];
}

/** Every day from the month's first to the last one with a call or today, quiet ones too. */
export function daysOf({ byDay, period }: AccountUsage, measure: Measure, nowMs: number): DayRow[] {
  const figures = new Map<string, Partial<Record<LedgerOperation, number>>>();
  for (const line of byDay) {
    figures.set(line.day, { ...figures.get(line.day), [line.operation]: measured(line, measure) });
  }
  const lastCallMs = Date.parse(byDay.at(-1)?.day ?? period.start);
  const endMs = Math.min(Date.parse(period.end) - 1, Math.max(nowMs, lastCallMs));
  const rows: DayRow[] = [];
  for (let ms = Date.parse(period.start); ms <= endMs; ms += DAY_MS) {
    const day = new Date(ms).toISOString().slice(0, 10);
    rows.push({ day, ...figures.get(day) });
  }
  return rows;
}

/** The operations that a month saw, what weighed most first. */
export function operationsOf({ byDay }: AccountUsage, measure: Measure): LedgerOperation[] {
  const totals = new Map<LedgerOperation, number>();
  for (const line of byDay)
    totals.set(line.operation, (totals.get(line.operation) ?? 0) + measured(line, measure));
  return [...totals]
    .filter(([, total]) => total > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([operation]) => operation);
}

/** What the highest bar adds up to. */
export function highestOf(rows: readonly DayRow[]): number {
  const heights = rows.map((row) =>
    Object.values(row).reduce<number>((sum, value) => (typeof value === "number" ? sum + value : sum), 0),
  );
  return Math.max(0, ...heights);
}
