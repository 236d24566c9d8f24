import { Stack, Title } from "@mantine/core";
import type { AdminTraffic } from "../../../../src/contract/operatorResources.ts";
import { readTraffic } from "../../api/operator.ts";
import { AsTable } from "../../components/AsTable.tsx";
import { Bars } from "../../components/Bars.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts as usageTexts } from "../usage/texts.ts";
import { texts } from "./texts.ts";

export function Traffic() {
  const t = useTexts(texts);
  const traffic = useQuery(readTraffic);
  return (
    <Section title={t.trafficTitle}>
      <Loaded query={traffic} height={520}>
        {({ days }) => <Days days={days} />}
      </Loaded>
    </Section>
  );
}

const CHARTS = [
  ["requests", "sea.5"],
  ["tokens", "indigo.5"],
] as const;

function Days({ days }: AdminTraffic) {
  const t = useTexts(texts);
  const u = useTexts(usageTexts);
  const { number, shortDay } = useLanguage().formats;
  const bars = days.map(({ day, ...figures }) => ({ title: shortDay(day), ...figures }));
  return (
    <Stack gap="lg">
      {CHARTS.map(([measure, color]) => (
        <Stack key={measure} gap="xs">
          <Title order={3}>{u[measure]}</Title>
          <Bars
            h={200}
            label={`${u[measure]}, ${t.trafficTitle}`}
            bars={bars}
            parts={[{ name: measure, label: u[measure], color }]}
          />
        </Stack>
      ))}
      <AsTable
        label={u.asTable}
        head={[u.day, u.requests, u.tokens, u.refused, t.callers]}
        figures={4}
        rows={days.map((line) => [
          shortDay(line.day),
          number(line.requests),
          number(line.tokens),
          number(line.refusals),
          number(line.accounts),
        ])}
      />
    </Stack>
  );
}
