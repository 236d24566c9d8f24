import { Anchor, Button, Divider, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { readUsage, takeFirstKey } from "../../api/account.ts";
import { asFailure } from "../../api/failure.ts";
import { Allowance } from "../../components/Allowance.tsx";
import { Copyable } from "../../components/Copyable.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { PageSkeleton } from "../../components/PageSkeleton.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { linkTo } from "../../router/router.ts";
import { usePerson, useSession } from "../../session/session.tsx";
import { Examples } from "../../snippets/Examples.tsx";
import { snippetOf } from "../../snippets/snippets.ts";
import { FirstCall, FirstCallArrival, firstRequest } from "./FirstCall.tsx";
import { texts } from "./texts.ts";

const NEXT_STEPS = [
  { href: linkTo("try"), icon: "search", name: "nextTry" },
  { href: linkTo("try", "list"), icon: "upload", name: "nextBatch" },
  { href: "/docs", icon: "book", name: "nextDocs" },
] as const;

/** At first a key, a command and its response; later the remaining tokens and next steps. */
export function StartPage() {
  const t = useTexts(texts);
  const usage = useQuery(readUsage);
  const { mayTakeFirstKey } = usePerson();
  const { shownKey: key, showKey, reload } = useSession();
  const taking = useMutation(async () => {
    try {
      showKey(await takeFirstKey());
    } catch (error) {
      // Another window already shows it.
      if (asFailure(error).code !== "FORBIDDEN") throw error;
    }
    reload();
  });
  const { run } = taking;
  const isDue = mayTakeFirstKey && key === undefined;
  useEffect(() => {
    if (isDue) void run();
  }, [isDue, run]);
  if (isDue) {
    return taking.failure === undefined ? (
      <PageSkeleton />
    ) : (
      <Problem failure={taking.failure} again={() => run()} />
    );
  }
  return (
    <>
      <PageTitle
        key={key?.id}
        title={key === undefined ? t.title : t.welcome}
        about={key === undefined ? t.about : t.welcomeAbout}
      />
      {key === undefined ? null : (
        <Section title={t.keyTitle} about={t.keyAbout}>
          <Copyable label={t.key} text={key.key} />
          <Stack gap="xs">
            <Title order={3}>{t.firstCall}</Title>
            <Examples of={(language) => snippetOf(language, firstRequest(key.key))} />
            <FirstCallArrival keyId={key.id} onArrived={usage.reload} />
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
        <Loaded query={usage} height={108}>
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
          {NEXT_STEPS.map(({ href, icon, name }) => (
            <Anchor key={name} href={href} underline="never" className="surface way" p="lg">
              <Stack gap={6}>
                <Icon name={icon} />
                <Text fw={600}>{t[name]}</Text>
                <MutedText>{t[`${name}About`]}</MutedText>
              </Stack>
            </Anchor>
          ))}
        </SimpleGrid>
      </Stack>
    </>
  );
}
