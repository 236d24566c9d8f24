import { Anchor, Button, Divider, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { readUsage } from "../../api/account.ts";
import { Allowance } from "../../components/Allowance.tsx";
import { Copyable } from "../../components/Copyable.tsx";
import { Icon, type IconName } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { Waiting } from "../../components/Waiting.tsx";
import { useTexts } from "../../language/language.tsx";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { Examples } from "../../snippets/Examples.tsx";
import { snippetOf } from "../../snippets/snippets.ts";
import { FirstArrival } from "./FirstArrival.tsx";
import { FirstCall } from "./FirstCall.tsx";
import { firstRequest } from "./firstRequest.ts";
import { texts } from "./texts.ts";
import { useFirstKey } from "./useFirstKey.ts";

/** The first minute: a key, a line to run, an answer. Afterwards, what is left and where to go on. */
export function StartPage() {
  const t = useTexts(texts);
  const usage = useQuery(readUsage);
  const { key, isDue, taking } = useFirstKey();
  if (isDue) {
    return taking.failure === undefined ? (
      <Waiting />
    ) : (
      <Problem failure={taking.failure} again={() => taking.run()} />
    );
  }
  return (
    <>
      {key === undefined ? (
        <PageTitle title={t.title} about={t.about} />
      ) : (
        <PageTitle title={t.welcome} about={t.welcomeAbout} />
      )}
      {key === undefined ? null : (
        <Section title={t.keyTitle} about={t.keyAbout}>
          <Copyable label={t.key} text={key.key} />
          <Stack gap="xs">
            <Title order={3}>{t.firstCall}</Title>
            <Examples of={(language) => snippetOf(language, firstRequest(key.key))} />
            <FirstArrival keyId={key.id} onArrived={usage.reload} />
          </Stack>
          <Divider color="var(--line)" />
          <FirstCall onSpent={usage.reload} />
        </Section>
      )}
      <Section
        title={t.month}
        aside={
          <Anchor href={linkTo("usage")} size="sm">
            {t.details}
          </Anchor>
        }
      >
        <Loaded of={usage} height={108}>
          {(value) => <Allowance usage={value} />}
        </Loaded>
      </Section>
      {key === undefined ? (
        <Section
          title={t.anotherTitle}
          about={t.anotherAbout}
          aside={
            <Button component="a" href={linkTo("keys")} variant="default" size="xs">
              {t.makeKey}
            </Button>
          }
        >
          <Examples of={(language) => snippetOf(language, firstRequest())} />
          <Divider color="var(--line)" />
          <FirstCall onSpent={usage.reload} />
        </Section>
      ) : null}
      <Stack component="nav" aria-label={t.next}>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Way href={linkTo("try")} icon="search" title={t.nextTry} about={t.nextTryAbout} />
          <Way href={linkTo("try", "list")} icon="upload" title={t.nextBatch} about={t.nextBatchAbout} />
          <Way href="/docs" icon="book" title={t.nextDocs} about={t.nextDocsAbout} />
        </SimpleGrid>
      </Stack>
    </>
  );
}

interface WayProps {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  readonly about: string;
}

function Way({ href, icon, title, about }: WayProps) {
  return (
    <Anchor href={href} underline="never" className="surface way" p="lg">
      <Stack gap={6}>
        <Icon name={icon} />
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </Stack>
    </Anchor>
  );
}
