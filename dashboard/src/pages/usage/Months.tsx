import { BarChart } from "@mantine/charts";
import { Anchor, Stack, Table } from "@mantine/core";
import type { UsageMonths } from "../../../../src/contract/accountResources.ts";
import { usageCsv } from "../../api/account.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

/** Twelve months, each with its ledger to download. */
export function Months({ months }: UsageMonths) {
  const t = useTexts(texts);
  const { number, month: monthName, shortMonth } = useLanguage().formats;
  const used = months.filter(({ requests, refusedByRate, refusedByAllowance }) =>
    Boolean(requests + refusedByRate + refusedByAllowance),
  );
  return (
    <Stack gap="md">
      <div role="img" aria-label={t.months}>
        <BarChart
          h={200}
          data={months.map(({ month, tokens }) => ({ month: shortMonth(month), tokens }))}
          dataKey="month"
          series={[{ name: "tokens", label: t.tokens, color: "sea.5" }]}
          valueFormatter={number}
          yAxisProps={{ allowDecimals: false, width: 44 }}
          maxBarWidth={36}
          barProps={{ isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <Table className="cards">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t.monthColumn}</Table.Th>
            <Table.Th scope="col" className="number">
              {t.tokens}
            </Table.Th>
            <Table.Th scope="col" className="number">
              {t.requests}
            </Table.Th>
            <Table.Th scope="col" className="number">
              {t.refused}
            </Table.Th>
            <Table.Th scope="col">{t.download}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {used.reverse().map((line) => (
            <Table.Tr key={line.month} data-testid={`month-${line.month}`}>
              <Table.Td>{monthName(line.month)}</Table.Td>
              <Table.Td className="number" data-label={t.tokens}>
                {number(line.tokens)}
              </Table.Td>
              <Table.Td className="number" data-label={t.requests}>
                {number(line.requests)}
              </Table.Td>
              <Table.Td className="number" data-label={t.refused}>
                {number(line.refusedByRate + line.refusedByAllowance)}
              </Table.Td>
              <Table.Td data-label={t.download}>
                <Anchor
                  href={usageCsv(line.month)}
                  download
                  size="sm"
                  aria-label={t.downloadOf(monthName(line.month))}
                >
                  CSV
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
