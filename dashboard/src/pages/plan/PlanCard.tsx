import { Badge, Box, Button, Group, Stack, Text, Title } from "@mantine/core";
import type { Plans } from "../../../../src/contract/accountResources.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/planName.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly tier: Plans["tiers"][number];
  readonly is: "mine" | "asked" | "other";
  readonly isBusy: boolean;
  readonly onAsk: () => void;
}

/** A plan: its tokens, its rate, and how to ask for it. */
export function PlanCard({ tier, is, isBusy, onAsk }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  return (
    <Box className="plan" data-mine={is === "mine" || undefined} p="lg">
      <Stack gap="md" h="100%">
        <Group justify="space-between" mih={26}>
          <Title order={3}>{planName(tier.name)}</Title>
          {is === "other" ? null : (
            <Badge variant="light" tt="none" className="badge live">
              {is === "mine" ? t.mine : t.asked}
            </Badge>
          )}
        </Group>
        <Stack gap={2}>
          <Text fz={32} fw={680} lh={1.1} lts="-0.02em">
            {number(tier.monthlyTokens)}
          </Text>
          <Text c="dimmed">{t.tokens}</Text>
        </Stack>
        <Text size="sm" c="dimmed" flex={1}>
          {t.rate(number(tier.ratePerMinute))}
        </Text>
        {is === "other" ? (
          <Button
            variant="default"
            disabled={isBusy}
            aria-label={`${t.ask}: ${planName(tier.name)}`}
            onClick={onAsk}
          >
            {t.ask}
          </Button>
        ) : null}
      </Stack>
    </Box>
  );
}
