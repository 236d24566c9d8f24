import { Anchor, Stack } from "@mantine/core";
import type { UsageMonths } from "../../../../src/contract/accountResources.ts";
import { Bars } from "../../components/Bars.tsx";
import { CardTable } from "../../components/CardTable.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";
import { failedIn, refusedIn } from "./UsageTable.tsx";

interface Props extends UsageMonths {
  /** Downloads a month, `YYYY-MM`. */
  readonly onSave: (month: string) => void;
}

export function Months({ months, onSave }: Props) {
  const t = useTexts(texts);
  const { number, month: monthName, shortMonth } = useLanguage().formats;
  const used = months.filter(
    (month) => month.requests + refusedIn(month) + failedIn(month) > 0 || month.test !== undefined,
  );
  return (
    <Stack gap="md">
      <Bars
        h={200}
        label={t.months}
        bars={months.map(({ month, tokens }) => ({ title: shortMonth(month), tokens }))}
        parts={[{ name: "tokens", label: t.tokens, color: "sea.5" }]}
        maxBarWidth={36}
        titleGap={5}
      />
      <CardTable
        rows={used.reverse()}
        nameOf={({ month }) => ({ key: month, testId: `month-${month}` })}
        columns={[
          { title: t.monthColumn, cell: ({ month }) => monthName(month), speaksForItself: true },
          { title: t.tokens, cell: ({ tokens }) => number(tokens), isNumber: true },
          { title: t.requests, cell: ({ requests }) => number(requests), isNumber: true },
          { title: t.failed, cell: (month) => number(failedIn(month)), isNumber: true },
          { title: t.refused, cell: (month) => number(refusedIn(month)), isNumber: true },
          ...(used.some(({ test }) => test !== undefined)
            ? [
                {
                  title: t.testedCalls,
                  cell: ({ test }: UsageMonths["months"][number]) => number(test?.requests ?? 0),
                  isNumber: true,
                } as const,
              ]
            : []),
          {
            title: t.download,
            isNumber: true,
            cell: ({ month }) => (
              <Anchor
                component="button"
                type="button"
                size="sm"
                aria-label={t.downloadOf(monthName(month))}
                onClick={() => onSave(month)}
              >
                CSV
              </Anchor>
            ),
          },
        ]}
      />
    </Stack>
  );
}
