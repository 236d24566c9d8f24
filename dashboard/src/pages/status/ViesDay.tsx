import "./viesDay.css";
import { Box, Stack, Text } from "@mantine/core";
import type { ServiceStatus } from "../../../../src/contract/publicResources.ts";
import { Quiet } from "../../components/Quiet.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { statusTexts } from "../../language/statusTexts.ts";

interface Props {
  readonly day: NonNullable<ServiceStatus["viesDay"]>;
  readonly slotSeconds: number;
  readonly checkedAt: string;
}

const DAY_SECONDS = 86_400;

type Slot = Props["day"][number]["slots"][number];

/** How VIES answered in the last day, a row for each member state, a bar for each half hour. */
export function ViesDay({ day, slotSeconds, checkedAt }: Props) {
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
      {day.map(({ state, slots: told }) => {
        const byStart = new Map(told.map((slot) => [Date.parse(slot.startsAt), slot]));
        const asked = told.reduce((sum, { answered, unanswered }) => sum + answered + unanswered, 0);
        const answered = told.reduce((sum, slot) => sum + slot.answered, 0);
        const said = t.answeredOf(formats.number(answered), formats.number(asked));
        return (
          <Box key={state} className="vies-state">
            <Text size="sm" fw={600}>
              {nameOf(state)}
            </Text>
            <Box className="vies-bars" role="img" aria-label={`${nameOf(state)}: ${said}`}>
              {starts.map((startMs) => (
                <span key={startMs} data-is={kindOf(byStart.get(startMs))} />
              ))}
            </Box>
            <Quiet size="xs">{said}</Quiet>
          </Box>
        );
      })}
      <Quiet size="xs">{t.legend}</Quiet>
    </Stack>
  );
}

function kindOf(slot: Slot | undefined): "none" | "all" | "some" | "nothing" {
  if (slot === undefined) return "none";
  if (slot.unanswered === 0) return "all";
  return slot.answered === 0 ? "nothing" : "some";
}
