import { Anchor, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { givePlan, readPlanRequests } from "../../api/operator.ts";
import { MutedText } from "../../components/MutedText.ts";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/names.ts";
import { Paged } from "../../queries/Paged.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { usePendingRequests } from "../../session/pendingRequests.tsx";
import { texts } from "./texts.ts";

export function PlanRequests() {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  const [page, setPage] = useState(1);
  const requests = useQuery(() => readPlanRequests(page), String(page));
  const waiting = usePendingRequests();
  const giving = useMutation(async (id: string, tier: string) => {
    await givePlan(id, tier);
    setPage(1);
    requests.reload();
    waiting?.reload();
  });
  return (
    <Section title={t.tabs.requests}>
      <Problem failure={giving.failure} />
      <Paged
        query={requests}
        height={160}
        label={t.pagesOfRequests}
        page={page}
        onPage={setPage}
        icon="plan"
        none={t.noneWait}
      >
        {(value) =>
          value.requests.map(({ id, email, tier, asked, askedAt }) => (
            <Group key={id} justify="space-between" gap="sm">
              <Stack gap={2}>
                <Anchor href={linkTo("operator", "account", id)} fw={600} className="breaks">
                  {email}
                </Anchor>
                <MutedText>
                  {t.asks(planName(tier), planName(asked))}, {t.since(day(askedAt))}
                </MutedText>
              </Stack>
              <Group gap="xs">
                {[
                  { plan: tier, label: t.keep, variant: "default" },
                  { plan: asked, label: t.grant(planName(asked)), variant: "filled" },
                ].map(({ plan, label, variant }) => (
                  <Button
                    key={label}
                    size="xs"
                    variant={variant}
                    disabled={giving.isBusy}
                    aria-label={`${label}: ${email}`}
                    onClick={() => giving.run(id, plan)}
                  >
                    {label}
                  </Button>
                ))}
              </Group>
            </Group>
          ))
        }
      </Paged>
    </Section>
  );
}
