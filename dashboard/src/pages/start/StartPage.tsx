import { Anchor, Button, Divider, SimpleGrid, Stack, Text } from "@mantine/core";
import { readUsage } from "../../api/account.ts";
import { useTexts } from "../../language/language.tsx";
import { useLoad } from "../../load/useLoad.ts";
import { Allowance } from "../../parts/Allowance.tsx";
import { Copyable } from "../../parts/Copyable.tsx";
import { Icon, type IconName } from "../../parts/Icon.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageTitle } from "../../parts/PageTitle.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Section } from "../../parts/Section.tsx";
import { Waiting } from "../../parts/Waiting.tsx";
import { linkTo } from "../../place/place.ts";
import { curlLine } from "./curlLine.ts";
import { FirstCall } from "./FirstCall.tsx";
import { texts } from "./texts.ts";
import { useFirstKey } from "./useFirstKey.ts";

/** The first minute: a key, a line to run, an answer. Afterwards, what is left and where to go on. */
export function StartPage() {
  const t = useTexts(texts);
  const usage = useLoad(readUsage);
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
          <Copyable label={t.curl} text={curlLine(key.key)} />
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
          <Copyable label={t.curl} text={curlLine("YOUR_KEY")} />
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
