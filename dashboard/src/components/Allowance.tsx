import { Anchor, Group, Progress, Stack, Text } from "@mantine/core";
import type { AccountUsage } from "../../../src/contract/accountResources.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { linkTo } from "../router/router.ts";
import { MutedText } from "./MutedText.ts";
import { Notice } from "./Notice.tsx";

const texts = bilingual({
  left: ["tokens left this month", "tokens over deze maand"],
  used: (used: string, limit: string) => [`${used} of ${limit} used`, `${used} van ${limit} gebruikt`],
  resets: (day: string) => [`Renewed on ${day} at 00:00 UTC`, `Op ${day} om 00:00 UTC weer aangevuld`],
  bar: ["Share of this month’s tokens used", "Gebruikt deel van de tokens van deze maand"],
  nearly: ["You have used 80% of this month’s tokens", "U hebt 80% van de tokens van deze maand gebruikt"],
  gone: ["You have used all of this month’s tokens", "U hebt alle tokens van deze maand gebruikt"],
  goneAbout: (day: string) => [
    `Calls that cost tokens are refused until ${day}.`,
    `Aanroepen die tokens kosten worden geweigerd tot ${day}.`,
  ],
  more: ["See larger plans", "Grotere abonnementen bekijken"],
});

/** The tokens left this month, with a notice when few are left. */
export function Allowance({ usage }: { readonly usage: AccountUsage }) {
  const t = useTexts(texts);
  const { number, day } = useLanguage().formats;
  const { used, limit, remaining, notice, period } = usage;
  const reset = day(period.end);
  return (
    <Stack gap="md">
      {notice === undefined ? null : (
        <Notice tone={notice === 100 ? "error" : "warning"} title={notice === 100 ? t.gone : t.nearly}>
          {notice === 100 ? `${t.goneAbout(reset)} ` : null}
          <Anchor href={linkTo("plan")} inherit>
            {t.more}
          </Anchor>
        </Notice>
      )}
      <Group gap={10} align="baseline">
        <Text fz={40} fw={680} lh={1} lts="-0.03em" data-testid="remaining">
          {number(remaining)}
        </Text>
        <Text c="dimmed">{t.left}</Text>
      </Group>
      <Progress.Root size="lg" radius="xl">
        <Progress.Section
          value={limit === 0 ? 100 : Math.min(100, (100 * used) / limit)}
          color={notice === 100 ? "red.7" : notice === 80 ? "yellow.6" : "sea.5"}
          aria-label={t.bar}
        />
      </Progress.Root>
      <Group justify="space-between" gap="xs">
        <MutedText>{t.used(number(used), number(limit))}</MutedText>
        <MutedText>{t.resets(reset)}</MutedText>
      </Group>
    </Stack>
  );
}
