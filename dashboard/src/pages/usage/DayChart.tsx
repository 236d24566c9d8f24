import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AccountUsage } from "../../../../src/contract/accountResources.ts";
import type { LedgerOperation } from "../../../../src/contract/prices.ts";
import { AsTable } from "../../components/AsTable.tsx";
import { Bars } from "../../components/Bars.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { operationColors, operations } from "../../language/operations.ts";
import { texts } from "./texts.ts";
import { failedIn, refusedIn } from "./UsageTable.tsx";

/** The measures of the chart's bars. */
const MEASURES = ["tokens", "requests", "failed"] as const;
type Measure = (typeof MEASURES)[number];

/** A day of the chart: its label, and a figure for each operation of the month. */
type DayRow = { readonly day: string } & Readonly<Partial<Record<LedgerOperation, number>>>;

const DAY_MS = 86_400_000;

function measured(line: AccountUsage["byDay"][number], measure: Measure): number {
  return measure === "failed" ? failedIn(line) : line[measure];
}

/** Returns every day from the first of the month to the last one with a call or today, including days without calls. */
function daysOf({ byDay, period }: AccountUsage, measure: Measure, nowMs: number): DayRow[] {
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

/** Returns the operations of a month, largest first. */
function operationsOf({ byDay }: AccountUsage, measure: Measure): LedgerOperation[] {
  const totals = new Map<LedgerOperation, number>();
  for (const line of byDay)
    totals.set(line.operation, (totals.get(line.operation) ?? 0) + measured(line, measure));
  return [...totals]
    .filter(([, total]) => total > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([operation]) => operation);
}

/** The month by day and operation, as a bar chart and as a table for people who cannot see it. */
export function DayChart({ usage }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const names = useTexts(operations);
  const { number, shortDay } = useLanguage().formats;
  const [measure, setMeasure] = useState<Measure>("tokens");
  const days = daysOf(usage, measure, Date.now());
  const shown = operationsOf(usage, measure);
  return (
    <Stack gap="md">
      <Group gap="sm">
        <MutedText aria-hidden="true">{t.show}</MutedText>
        <SegmentedControl
          size="xs"
          aria-label={t.show}
          value={measure}
          onChange={setMeasure}
          data={MEASURES.map((value) => ({ value, label: t[value] }))}
        />
      </Group>
      {shown.length === 0 && measure === "failed" ? (
        <Text c="dimmed">{t.noneFailed}</Text>
      ) : (
        <Bars
          h={280}
          label={t.chart(t[measure])}
          bars={days.map(({ day, ...figures }) => ({ title: shortDay(day), ...figures }))}
          parts={shown.map((name) => ({ name, label: names[name], color: operationColors[name] }))}
          maxBarWidth={28}
          withLegend
        />
      )}
      <AsTable
        label={t.asTable}
        head={[t.day, t.operation, t.tokens, t.requests, t.failed, t.refused]}
        figures={4}
        rows={usage.byDay.map((line) => [
          shortDay(line.day),
          names[line.operation],
          number(line.tokens),
          number(line.requests),
          number(failedIn(line)),
          number(refusedIn(line)),
        ])}
      />
    </Stack>
  );
}
