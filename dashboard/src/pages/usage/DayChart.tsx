import { BarChart } from "@mantine/charts";
import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AccountUsage } from "../../../../src/contract/accountResources.ts";
import type { LedgerOperation } from "../../../../src/contract/prices.ts";
import { AsTable } from "../../components/AsTable.tsx";
import { axisWidth } from "../../components/axisWidth.ts";
import { Quiet } from "../../components/Quiet.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { operations } from "../../language/operations.ts";
import { daysOf, highestOf, MEASURES, type Measure, operationsOf } from "./days.ts";
import { texts } from "./texts.ts";
import { failedIn, refusedIn } from "./UsageTable.tsx";

/** A colour for each operation, apart from each other in light and dark, and 3 : 1 from both grounds. */
const COLORS = {
  lookup: "sea.5",
  "lookup.enriched": "green.8",
  autocomplete: "indigo.5",
  search: "grape.6",
  branches: "orange.8",
  batch: "blue.6",
  "batch.enriched": "cyan.8",
  validate: "pink.6",
  usage: "gray.6",
  tokens: "yellow.9",
  jobs: "dark.3",
  "jobs.lookup": "teal.7",
  "jobs.lookup.enriched": "lime.9",
  "jobs.vat": "red.6",
  other: "violet.5",
} as const satisfies Record<LedgerOperation, string>;

/** The month by day and operation, as bars and, for who cannot see them, as a table. */
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
        <Quiet aria-hidden="true">{t.show}</Quiet>
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
        <div role="img" aria-label={t.chart(t[measure])}>
          <BarChart
            h={280}
            data={days.map((row) => ({ ...row, day: shortDay(row.day) }))}
            dataKey="day"
            type="stacked"
            withLegend
            legendProps={{ verticalAlign: "bottom" }}
            series={shown.map((operation) => ({
              name: operation,
              label: names[operation],
              color: COLORS[operation],
            }))}
            valueFormatter={number}
            yAxisProps={{ allowDecimals: false, width: axisWidth(number(highestOf(days))) }}
            xAxisProps={{ minTickGap: 16 }}
            maxBarWidth={28}
            barProps={{ isAnimationActive: false }}
            barChartProps={{ accessibilityLayer: false }}
          />
        </div>
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
