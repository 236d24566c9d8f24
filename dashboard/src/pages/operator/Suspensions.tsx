import { Code, Stack, Text } from "@mantine/core";
import { readSuspensions } from "../../api/operator.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { texts } from "./texts.ts";

/** Suspensions that outlive their account: dates, as nothing else is known of them. Nothing is shown while there are none. */
export function Suspensions() {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  const kept = useQuery(readSuspensions);
  const { now } = kept;
  if (now.state === "loading" || (now.state === "ready" && now.value.suspensions.length === 0)) return null;
  return (
    <Section title={t.suspensions} about={t.suspensionsAbout}>
      <Loaded of={kept} height={80}>
        {({ suspensions }) => (
          <Stack gap="sm">
            <Code block>opzoek account resume --email ADDRESS</Code>
            {suspensions.map(({ suspendedAt, keptUntil }) => (
              <Text key={`${suspendedAt} ${keptUntil}`} size="sm">
                {suspendedAt === undefined
                  ? t.suspensionUntil(day(keptUntil))
                  : t.suspension(day(suspendedAt), day(keptUntil))}
              </Text>
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
