import "./welcome.css";
import { Anchor, Box, Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { readOffer } from "../../api/public.ts";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Prices } from "../../components/Prices.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/planName.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { PublicSearch } from "./PublicSearch.tsx";
import { texts } from "./texts.ts";

/** What this is, for whoever comes by. */
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
        <Benefit icon="search" title={t.find} about={t.findAbout} />
        <Benefit icon="check" title={t.check} about={t.checkAbout} />
        <Benefit icon="plan" title={t.pay} about={t.payAbout} />
      </SimpleGrid>
      <Section title={t.plans} about={t.plansAbout}>
        <Loaded of={offer} height={180}>
          {({ tiers }) => (
            <SimpleGrid cols={{ base: 1, sm: Math.min(3, tiers.length) }}>
              {tiers.map((tier) => (
                <Plan key={tier.name} {...tier} />
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

interface BenefitProps {
  readonly icon: IconName;
  readonly title: string;
  readonly about: string;
}

function Benefit({ icon, title, about }: BenefitProps) {
  return (
    <Box className="surface" p="lg">
      <Stack gap={6}>
        <Icon name={icon} />
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </Stack>
    </Box>
  );
}

interface PlanProps {
  readonly name: string;
  readonly monthlyTokens: number;
  readonly ratePerMinute: number;
}

function Plan({ name, monthlyTokens, ratePerMinute }: PlanProps) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  return (
    <Box className="plan" p="lg">
      <Stack gap="xs">
        <Title order={3}>{planName(name)}</Title>
        <Text fz={28} fw={680} lh={1.1}>
          {number(monthlyTokens)}
        </Text>
        <Text c="dimmed">{t.tokens}</Text>
        <Text size="sm" c="dimmed">
          {t.rate(number(ratePerMinute))}
        </Text>
      </Stack>
    </Box>
  );
}
