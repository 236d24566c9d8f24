import "./welcome.css";
import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { SessionState, SignupMode } from "../../../../src/contract/accountResources.ts";
import { readOffer, suggest } from "../../api/account.ts";
import { Facts } from "../../components/Facts.tsx";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Prices } from "../../components/Prices.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { Examples } from "../../snippets/Examples.tsx";
import { snippetOf } from "../../snippets/snippets.ts";
import { PlanCard } from "../plan/PlanCard.tsx";
import { CompanyBox, kvkNumberIn, vatNumberIn } from "../try/find/CompanyBox.tsx";
import { useChosenCompany } from "../try/find/useChosenCompany.ts";
import { useSuggestions } from "../try/find/useSuggestions.ts";
import { texts } from "./texts.ts";

const BENEFITS = [
  ["find", "search"],
  ["check", "check"],
  ["pay", "plan"],
] as const satisfies readonly (readonly [string, IconName])[];

/** The landing page: a search, the benefits, plans and prices. */
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
            <MutedText>{t[`${name}About`]}</MutedText>
          </Stack>
        ))}
      </SimpleGrid>
      <Section title={t.plans} about={t.plansAbout}>
        <Loaded query={offer} height={180}>
          {({ tiers }) => (
            <SimpleGrid cols={{ base: 1, sm: Math.min(3, tiers.length) }}>
              {tiers.map((tier) => (
                <PlanCard key={tier.name} tier={tier} />
              ))}
            </SimpleGrid>
          )}
        </Loaded>
      </Section>
      <Section title={t.prices}>
        <Prices />
      </Section>
      {/* Not while the sections above still grow: a click on a link that moves is lost. */}
      {offer.now.state === "loading" ? null : (
        <Group component="nav" aria-label={t.further} gap="lg">
          <Anchor href="/docs">{t.docs}</Anchor>
          <Anchor href={linkTo("status")}>{t.status}</Anchor>
        </Group>
      )}
    </Stack>
  );
}

/**
 * A search box for visitors, answered from the registry only. A VAT number is not checked, because VIES's capacity is
 * for paying callers; the page shows the request instead.
 */
function PublicSearch({ signup }: { readonly signup: SignupMode }) {
  const t = useTexts(texts);
  const company = useChosenCompany();
  const { typed, chosen } = company;
  const number = chosen === undefined ? kvkNumberIn(typed) : undefined;
  const vatNumber = chosen === undefined ? vatNumberIn(typed) : undefined;
  const { items, isLoading, failure } = useSuggestions(number ?? "", number !== undefined, suggest);
  const found = chosen ?? items.find(({ kvkNumber }) => kvkNumber === number);
  const isAnswered = number !== undefined && !isLoading;
  const path =
    vatNumber !== undefined
      ? `/v1/validate/vat/${vatNumber}`
      : found !== undefined || (isAnswered && failure === undefined)
        ? `/v1/lookup/${found?.kvkNumber ?? number}`
        : undefined;
  return (
    <Stack gap="md" maw="40rem">
      <CompanyBox {...company} ask={suggest} about={t.searchAbout} none={t.none} />
      {isAnswered && failure !== undefined ? <Problem failure={failure} /> : null}
      {path === undefined ? null : (
        <Stack gap="sm" className="surface" p="md" data-testid="chosen">
          <Stack gap="xs" role="status">
            {found === undefined ? (
              <Text>{vatNumber === undefined ? t.noNumber : t.vat}</Text>
            ) : (
              <>
                {found.isFuzzy ? <Text size="sm">{t.fuzzy}</Text> : null}
                <Facts
                  facts={[
                    [t.name, found.name],
                    [t.alsoKnownAs, found.matchedName],
                    [t.city, found.city],
                    [t.number, found.kvkNumber],
                  ]}
                />
              </>
            )}
          </Stack>
          <Text size="sm" fw={600}>
            {vatNumber === undefined ? t.request : t.vatRequest}
          </Text>
          <Examples
            of={(language) =>
              snippetOf(language, {
                method: "GET",
                url: location.origin + path,
                needsKey: true,
                body: undefined,
              })
            }
          />
          {vatNumber === undefined ? <MutedText>{t.needsKey}</MutedText> : null}
          <Group gap="md">
            {signup === "closed" ? null : <Anchor href={linkTo("sign-up")}>{t.signUp}</Anchor>}
            <Anchor href={linkTo("sign-in")}>{t.signIn}</Anchor>
            <Anchor href="/docs/#/guides/test-keys">{t.testKeys}</Anchor>
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
