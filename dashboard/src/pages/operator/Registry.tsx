import { Stack, Text, Title } from "@mantine/core";
import type { AdminRegistry } from "../../../../src/contract/operatorResources.ts";
import { readRegistry } from "../../api/operator.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useLoad } from "../../load/useLoad.ts";
import { Facts } from "../../parts/Facts.tsx";
import { Figures } from "../../parts/Figures.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Section } from "../../parts/Section.tsx";
import { texts } from "./texts.ts";

/** The snapshot that is served: how old, how large, from where. */
export function Registry() {
  const t = useTexts(texts);
  const registry = useLoad(readRegistry);
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
