import { Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { type Health, readHealth, type ServiceState } from "../../api/publicApi.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useLoad } from "../../load/useLoad.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Notice } from "../../parts/Notice.tsx";
import { PageTitle } from "../../parts/PageTitle.tsx";
import { Section } from "../../parts/Section.tsx";
import { texts } from "./texts.ts";

/** Health as a person reads it. */
export function StatusPage() {
  const t = useTexts(texts);
  const health = useLoad(readHealth);
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <Section
        title={t.now}
        aside={
          <Button size="xs" variant="default" onClick={health.reload}>
            {t.again}
          </Button>
        }
      >
        <Loaded of={health} height={240}>
          {(value) => <Findings health={value} />}
        </Loaded>
      </Section>
    </>
  );
}

const TONES = { ok: "good", degraded: "warning", down: "bad" } as const;

function Findings({ health }: { readonly health: Health }) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  const { status, services, timestamp } = health;
  return (
    <Stack gap="xl">
      <Notice tone={TONES[status]} title={t.whole[status]} />
      <Part name={t.registry} state={services.kvk} says={t.registryIs[services.kvk]} />
      {services.vies === undefined ? null : (
        <Part name={t.vies} state={services.vies} says={t.viesIs[services.vies]} />
      )}
      <Text size="sm" c="dimmed">
        {t.seen(moment(timestamp))}
      </Text>
    </Stack>
  );
}

const BADGES = {
  up: { color: "sea", className: "badge live" },
  degraded: { color: "yellow", className: "badge ending" },
  down: { color: "red", className: "badge down" },
} as const;

interface PartProps {
  readonly name: string;
  readonly state: ServiceState;
  readonly says: string;
}

function Part({ name, state, says }: PartProps) {
  const t = useTexts(texts);
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Title order={3}>{name}</Title>
        <Badge variant="light" tt="none" {...BADGES[state]}>
          {t.states[state]}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" maw="62ch">
        {says}
      </Text>
    </Stack>
  );
}
