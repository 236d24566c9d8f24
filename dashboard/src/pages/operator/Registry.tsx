import { Stack, Text, Title } from "@mantine/core";
import type { AdminRegistry } from "../../../../src/contract/operatorResources.ts";
import { readRegistry } from "../../api/operator.ts";
import { Facts } from "../../components/Facts.tsx";
import { Figures } from "../../components/Figures.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

/** The snapshot that is served: how old, how large, from where. */
export function Registry() {
  const t = useTexts(texts);
  const registry = useQuery(readRegistry);
  return (
    <Section title={t.registry} about={t.registryAbout}>
      <Loaded of={registry} height={260}>
        {({ snapshot }) =>
          snapshot === undefined ? (
            <Stack gap="sm">
              <Text>{t.noSnapshot}</Text>
              <pre className="code" data-wrapped>
                opzoek import FORMAT FILE
              </pre>
            </Stack>
          ) : (
            <Snapshot snapshot={snapshot} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Snapshot({ snapshot }: Required<AdminRegistry>) {
  const t = useTexts(texts);
  const { number, moment, duration, day } = useLanguage().formats;
  const { file, builtAt, ageSeconds, companies, branches, origins } = snapshot;
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [t.facts.companies, number(companies)],
          [t.facts.branches, number(branches)],
          [t.facts.built, moment(builtAt)],
          [t.facts.age, duration(ageSeconds)],
          [t.facts.file, file],
        ]}
      />
      <Title order={3}>{t.origins}</Title>
      <Figures
        head={[t.origin, t.asOf, t.facts.companies]}
        figures={1}
        rows={origins.map((line) => [line.origin, day(line.asOf), number(line.companies)])}
      />
    </Stack>
  );
}
