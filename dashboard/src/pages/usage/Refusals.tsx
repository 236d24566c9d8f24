import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { AccountUsage } from "../../../../src/contract/accountResources.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

/** Refused calls by reason, with what helps. */
export function Refusals({ usage }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const { refusedByRate, refusedByAllowance } = usage;
  if (refusedByRate + refusedByAllowance === 0) return <Text c="dimmed">{t.noneRefused}</Text>;
  const reasons = [
    [refusedByRate, t.byRate, t.byRateAbout],
    [refusedByAllowance, t.byAllowance, t.byAllowanceAbout],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      {reasons.map(([count, name, about]) => (
        <Stack key={name} gap={2}>
          <Text fz={28} fw={680} lh={1.2}>
            {number(count)}
          </Text>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}
