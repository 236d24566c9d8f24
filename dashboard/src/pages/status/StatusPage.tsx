import { Button, Stack, Text } from "@mantine/core";
import { type Health, readHealth } from "../../api/publicApi.ts";
import { HealthPart } from "../../components/HealthPart.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

/** Health as a person reads it. */
export function StatusPage() {
  const t = useTexts(texts);
  const health = useQuery(readHealth);
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

const TONES = { ok: "good", partly: "info", degraded: "warning", down: "bad" } as const;

/** The service is well while some countries do not answer VIES; a person is told that not everything works. */
function wholeOf({ status, services }: Health): keyof typeof TONES {
  const isAllUp = Object.values(services).every((state) => state === "up");
  return status === "ok" && !isAllUp ? "partly" : status;
}

function Findings({ health }: { readonly health: Health }) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  const { services, timestamp } = health;
  const whole = wholeOf(health);
  return (
    <Stack gap="xl">
      <Notice tone={TONES[whole]} title={t.whole[whole]} />
      <HealthPart what="registry" state={services.kvk} />
      {services.vies === undefined ? null : <HealthPart what="vies" state={services.vies} />}
      <Text size="sm" c="dimmed">
        {t.seen(moment(timestamp))}
      </Text>
    </Stack>
  );
}
