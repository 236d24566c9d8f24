import "./viesDay.css";
import { Box, Button, Stack, Text } from "@mantine/core";
import type { ServiceStatus } from "../../../../src/contract/publicResources.ts";
import { readStatus } from "../../api/account.ts";
import { Figures } from "../../components/Figures.tsx";
import { HealthPart } from "../../components/HealthPart.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { NoRegistry } from "../../components/NoRegistry.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { sourceName } from "../../language/sources.ts";
import { statusTexts } from "../../language/statusTexts.ts";
import { useQuery } from "../../queries/useQuery.ts";

/** The public status of the service, now and in the last 24 hours. */
export function StatusPage() {
  const t = useTexts(statusTexts);
  const status = useQuery(readStatus);
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <Section
        title={t.now}
        aside={
          <Button size="xs" variant="default" onClick={status.reload}>
            {t.again}
          </Button>
        }
      >
        <Loaded query={status} height={240}>
          {(value) => <Findings status={value} />}
        </Loaded>
      </Section>
      <Section title={t.day} about={t.dayAbout}>
        <Loaded query={status} height={200}>
          {({ viesDay, slotSeconds, checkedAt }) =>
            viesDay === undefined || slotSeconds === undefined ? (
              <Text c="dimmed">{t.dayUnknown}</Text>
            ) : (
              <ViesDay day={viesDay} slotSeconds={slotSeconds} checkedAt={checkedAt} />
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

const TONES = { ok: "good", unasked: "info", partly: "info", degraded: "warning", down: "error" } as const;

/** The service counts as healthy while some countries do not answer VIES; the page shows that as a partial outage. */
function wholeOf({ service, registrySource, vies }: ServiceStatus): keyof typeof TONES {
  if (service !== "ok") return service;
  if (registrySource === "up" && vies === "unknown") return "unasked";
  return registrySource === "up" && vies === "up" ? "ok" : "partly";
}

function Findings({ status }: { readonly status: ServiceStatus }) {
  const t = useTexts(statusTexts);
  const { language, formats } = useLanguage();
  const { moment, number, day } = formats;
  const { registry, registrySource, vies, checkedAt } = status;
  const whole = wholeOf(status);
  return (
    <Stack gap="xl">
      <Notice tone={TONES[whole]} title={t.whole[whole]} />
      <Stack gap={4}>
        <HealthPart what="registry" state={registrySource} />
        {registry === undefined ? (
          <NoRegistry />
        ) : (
          <>
            <Text size="sm">
              {t.companies(number(registry.companies))} {registry.sources.length > 1 ? t.both : null}
            </Text>
            <Figures
              head={[t.source, t.asOf, t.count]}
              figures={1}
              rows={registry.sources.map(({ source, companies, asOf }) => [
                sourceName(source, language),
                day(asOf),
                number(companies),
              ])}
            />
          </>
        )}
      </Stack>
      <HealthPart what="vies" state={vies} />
      <MutedText>{t.seen(moment(checkedAt))}</MutedText>
    </Stack>
  );
}

interface Props {
  readonly day: NonNullable<ServiceStatus["viesDay"]>;
  readonly slotSeconds: number;
  readonly checkedAt: string;
}

const DAY_SECONDS = 86_400;

type Slot = Props["day"][number]["slots"][number];

/** VIES in the last 24 hours: a row per member state, a bar per half hour. */
function ViesDay({ day, slotSeconds, checkedAt }: Props) {
  const t = useTexts(statusTexts);
  const { language, formats } = useLanguage();
  if (day.length === 0) return <Text c="dimmed">{t.notAsked}</Text>;
  const names = new Intl.DisplayNames([language], { type: "region" });
  const nameOf = (state: string) =>
    state === "XI" ? t.northernIreland : names.of(state === "EL" ? "GR" : state);
  const slots = DAY_SECONDS / slotSeconds;
  const lastAtMs = Math.floor(Date.parse(checkedAt) / (slotSeconds * 1_000)) * slotSeconds * 1_000;
  const starts = Array.from(
    { length: slots },
    (_, index) => lastAtMs - (slots - 1 - index) * slotSeconds * 1_000,
  );
  return (
    <Stack gap="sm" className="vies-day">
      {day.map(({ state, slots: seen }) => {
        const byStart = new Map(seen.map((slot) => [Date.parse(slot.startsAt), slot]));
        const total = seen.reduce((sum, { answered, unanswered }) => sum + answered + unanswered, 0);
        const answered = seen.reduce((sum, slot) => sum + slot.answered, 0);
        const label = t.answeredOf(formats.number(answered), formats.number(total));
        return (
          <Box key={state} className="vies-state">
            <Text size="sm" fw={600}>
              {nameOf(state)}
            </Text>
            <Box className="vies-bars" role="img" aria-label={`${nameOf(state)}: ${label}`}>
              {starts.map((startMs) => (
                <span key={startMs} data-is={kindOf(byStart.get(startMs))} />
              ))}
            </Box>
            <MutedText size="xs">{label}</MutedText>
          </Box>
        );
      })}
      <MutedText size="xs">{t.legend}</MutedText>
    </Stack>
  );
}

function kindOf(slot: Slot | undefined): "none" | "all" | "some" | "nothing" {
  if (slot === undefined) return "none";
  if (slot.unanswered === 0) return "all";
  return slot.answered === 0 ? "nothing" : "some";
}
