import { Button, Group, SimpleGrid, Text } from "@mantine/core";
import type { Plans } from "../../../../src/contract/accountResources.ts";
import { readPlans, requestPlan, withdrawPlanRequest } from "../../api/account.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Notice } from "../../components/Notice.tsx";
import { WithOperator } from "../../components/operator.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Prices } from "../../components/Prices.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/names.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { PlanCard } from "./PlanCard.tsx";
import { texts } from "./texts.ts";

/** The plans, the account's own plan, and the prices of calls. */
export function PlanPage() {
  const t = useTexts(texts);
  const plans = useQuery(readPlans);
  return (
    <>
      <PageTitle title={t.title} about={t.about} />
      <Section title={t.plans}>
        <Loaded query={plans} height={260}>
          {(value) => <Choice plans={value} onChange={plans.take} onGone={plans.reload} />}
        </Loaded>
      </Section>
      <Section title={t.prices}>
        <Prices />
      </Section>
    </>
  );
}

interface ChoiceProps {
  readonly plans: Plans;
  readonly onChange: (plans: Plans) => void;
  readonly onGone: () => void;
}

function Choice({ plans, onChange, onGone }: ChoiceProps) {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  const requesting = useMutation(async (tier: string) => onChange(await requestPlan(tier)));
  const withdrawing = useMutation(async () => {
    await withdrawPlanRequest();
    onGone();
  });
  const { asked } = plans;
  return (
    <>
      <Problem failure={requesting.failure ?? withdrawing.failure} />
      {asked === undefined ? null : (
        <Notice tone="info">
          <Group justify="space-between" gap="sm">
            <Text size="sm" flex="1 1 16rem">
              <WithOperator text={t.waiting(planName(asked.tier), day(asked.askedAt))} />
            </Text>
            <Button
              size="xs"
              variant="default"
              loading={withdrawing.isBusy}
              onClick={() => withdrawing.run()}
            >
              {t.withdraw}
            </Button>
          </Group>
        </Notice>
      )}
      <SimpleGrid cols={{ base: 1, sm: Math.min(3, plans.tiers.length) }}>
        {plans.tiers.map((tier) => (
          <PlanCard
            key={tier.name}
            tier={tier}
            is={tier.name === plans.tier ? "mine" : tier.name === asked?.tier ? "asked" : "other"}
            isBusy={requesting.isBusy}
            onRequest={() => requesting.run(tier.name)}
          />
        ))}
      </SimpleGrid>
    </>
  );
}
