import "./welcome.css";
import { Anchor, Button, Group, SimpleGrid, Stack, Title } from "@mantine/core";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { readOffer } from "../../api/account.ts";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Prices } from "../../components/Prices.tsx";
import { Quiet } from "../../components/Quiet.ts";
import { Section } from "../../components/Section.tsx";
import { useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { PlanCard } from "../plan/PlanCard.tsx";
import { PublicSearch } from "./PublicSearch.tsx";
import { texts } from "./texts.ts";

const BENEFITS = [
  ["find", "search"],
  ["check", "check"],
  ["pay", "plan"],
] as const satisfies readonly (readonly [string, IconName])[];

/** The first page for visitors: a search, the benefits, plans and prices. */
export function WelcomePage({ state }: { readonly state: SessionState }) {
  const t = useTexts(texts);
  const offer = useQuery(readOffer);
  return (
    <Stack gap={48}>
      <Stack gap="lg" className="welcome-head">
        <PageTitle title={t.title} about={t.about} />
        {state.maySearch ? <PublicSearch signup={state.signup} /> : null}
        <Group gap="sm">
          {state.signup === "closed" ? null : (
            <Button component="a" href={linkTo("sign-up")} size="md">
              {t.signUp}
            </Button>
          )}
          <Button component="a" href={linkTo("sign-in")} size="md" variant="default">
            {t.signIn}
          </Button>
        </Group>
      </Stack>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {BENEFITS.map(([name, icon]) => (
          <Stack key={name} gap={6} className="surface" p="lg">
            <Icon name={icon} />
            <Title order={2} size="h4">
              {t[name]}
            </Title>
            <Quiet>{t[`${name}About`]}</Quiet>
          </Stack>
        ))}
      </SimpleGrid>
      <Section title={t.plans} about={t.plansAbout}>
        <Loaded of={offer} height={180}>
          {({ tiers }) => (
            <SimpleGrid cols={{ base: 1, sm: Math.min(3, tiers.length) }}>
              {tiers.map((tier) => (
                <PlanCard key={tier.name} tier={tier} />
              ))}
            </SimpleGrid>
          )}
        </Loaded>
      </Section>
      <Section title={t.prices} about={t.pricesAbout}>
        <Loaded of={offer} height={320}>
          {({ prices }) => <Prices prices={prices} />}
        </Loaded>
      </Section>
      <Group component="nav" aria-label={t.further} gap="lg">
        <Anchor href="/docs">{t.docs}</Anchor>
        <Anchor href={linkTo("status")}>{t.status}</Anchor>
      </Group>
    </Stack>
  );
}
