import { Stack, Text } from "@mantine/core";
import type { AdminRegistry } from "../../../../src/contract/operatorResources.ts";
import { readRegistry } from "../../api/operator.ts";
import { Facts } from "../../components/Facts.tsx";
import { Figures } from "../../components/Figures.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";
import { Part } from "./Upstreams.tsx";

/** The registry that is served: its age, size and origins. */
export function Registry() {
  const t = useTexts(texts);
  const registry = useQuery(readRegistry);
  return (
    <Section title={t.registry} about={t.registryAbout}>
      <Loaded of={registry} height={260}>
        {({ snapshot, previous }) =>
          snapshot === undefined ? (
            <Stack gap="sm">
              <Text>{t.noSnapshot}</Text>
              <pre className="code" data-wrapped>
                opzoek import FORMAT FILE
              </pre>
            </Stack>
          ) : (
            <Snapshot snapshot={snapshot} previous={previous} />
          )
        }
      </Loaded>
    </Section>
  );
}

interface Props {
  readonly snapshot: NonNullable<AdminRegistry["snapshot"]>;
  readonly previous: AdminRegistry["previous"];
}

function Snapshot({ snapshot, previous }: Props) {
  const t = useTexts(texts);
  const { number, moment, duration, day } = useLanguage().formats;
  const { file, builtAt, ageSeconds, companies, branches, bytes, origins, layers } = snapshot;
  // The age of the file is by the service's clock, so the others are too.
  const nowMs = Date.parse(builtAt) + ageSeconds * 1_000;
  const ageOf = (at: string) => duration(Math.max(0, (nowMs - Date.parse(at)) / 1_000));
  const megabytes = (of: number) => t.megabytes(number(Math.round(of / 100_000) / 10));
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [t.facts.companies, number(companies)],
          [t.facts.branches, number(branches)],
          [t.facts.built, moment(builtAt)],
          [t.facts.age, duration(ageSeconds)],
          [t.facts.size, megabytes(bytes)],
          [t.facts.file, file],
          [t.facts.previous, previous && `${previous.file}, ${moment(previous.builtAt)}`],
        ]}
      />
      <Part title={t.origins}>
        <Figures
          head={[t.origin, t.asOf, t.facts.companies]}
          figures={1}
          rows={origins.map((line) => [
            line.origin,
            t.withAge(day(line.asOf), ageOf(line.asOf)),
            number(line.companies),
          ])}
        />
      </Part>
      <Part title={t.layers} about={t.layersAbout}>
        <Figures
          head={[t.facts.file, t.kind, t.facts.built, t.facts.companies, t.facts.size]}
          figures={2}
          rows={layers.map((layer) => [
            layer.file,
            t.kinds[layer.kind],
            t.withAge(moment(layer.builtAt), ageOf(layer.builtAt)),
            number(layer.companies),
            megabytes(layer.bytes),
          ])}
        />
      </Part>
    </Stack>
  );
}
