import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { givePlan, readPlanRequests } from "../../api/operator.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Nothing } from "../../components/Nothing.tsx";
import { Pages } from "../../components/Pages.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/planName.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { useWaitingRequests } from "../../session/waitingRequests.tsx";
import { texts } from "./texts.ts";

/** Who waits for a plan. */
export function PlanRequests() {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  const [page, setPage] = useState(1);
  const requests = useQuery(() => readPlanRequests(page), String(page));
  const waiting = useWaitingRequests();
  const giving = useMutation(async (id: string, tier: string) => {
    await givePlan(id, tier);
    // Who has waited longest comes next.
    setPage(1);
    requests.reload();
    waiting?.reload();
  });
  return (
    <Section title={t.tabs.requests}>
      <Problem failure={giving.failure} />
      <Loaded of={requests} height={160}>
        {(value) =>
          value.total === 0 ? (
            <Nothing icon="plan">{t.noneWait}</Nothing>
          ) : (
            <Stack gap="lg">
              {value.requests.map(({ id, email, tier, asked, askedAt }) => (
                <Group key={id} justify="space-between" gap="sm">
                  <Stack gap={2}>
                    <Anchor href={linkTo("operator", "account", id)} fw={600} className="breaks">
                      {email}
                    </Anchor>
                    <Text size="sm" c="dimmed">
                      {t.asks(planName(tier), planName(asked))}, {t.since(day(askedAt))}
                    </Text>
                  </Stack>
                  <Group gap="xs">
                    <Button
                      size="xs"
                      variant="default"
                      disabled={giving.isBusy}
                      aria-label={`${t.keep}: ${email}`}
                      onClick={() => giving.run(id, tier)}
                    >
                      {t.keep}
                    </Button>
                    <Button
                      size="xs"
                      disabled={giving.isBusy}
                      aria-label={`${t.grant(planName(asked))}: ${email}`}
                      onClick={() => giving.run(id, asked)}
                    >
                      {t.grant(planName(asked))}
                    </Button>
                  </Group>
                </Group>
              ))}
              <Pages
                label={t.pagesOfRequests}
                total={value.total}
                pageSize={value.pageSize}
                page={page}
                onChange={setPage}
              />
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}
