import { Badge, Box, Button, Group, Stack, Text, Title } from "@mantine/core";
import type { Plans } from "../../../../src/contract/accountResources.ts";
import { MutedText } from "../../components/MutedText.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/names.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly tier: Plans["tiers"][number];
  /** Its state for the signed-in account; undefined for visitors. */
  readonly is?: "mine" | "asked" | "other";
  readonly isBusy?: boolean;
  readonly onRequest?: () => void;
}

/** A plan: its tokens, rate limit, and a button to request it. */
export function PlanCard({ tier, is, isBusy = false, onRequest }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const name = planName(tier.name);
  return (
    <Box className="plan" data-mine={is === "mine" || undefined} p="lg">
      <Stack gap="md" h="100%">
        <Group justify="space-between" mih={26}>
          <Title order={3}>{name}</Title>
          {is === "mine" || is === "asked" ? <Badge className="badge live">{t[is]}</Badge> : null}
        </Group>
        <Stack gap={2}>
          <Text fz={32} fw={680} lh={1.1} lts="-0.02em">
            {number(tier.monthlyTokens)}
          </Text>
          <Text c="dimmed">{t.tokens}</Text>
        </Stack>
        <MutedText flex={1}>{t.rate(number(tier.ratePerMinute))}</MutedText>
        {is === "other" ? (
          <Button variant="default" disabled={isBusy} aria-label={`${t.ask}: ${name}`} onClick={onRequest}>
            {t.ask}
          </Button>
        ) : null}
      </Stack>
    </Box>
  );
}
