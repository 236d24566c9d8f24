import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { AdminAccount } from "../../../../../src/contract/oneAccountResources.ts";
import { endSessions } from "../../../api/operator.ts";
import { Section } from "../../../components/Section.tsx";
import { Ask } from "../../../forms/Ask.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { usePerson } from "../../../session/session.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly account: AdminAccount;
  readonly onEnded: (account: AdminAccount) => void;
}

/** Where the account is signed in, and a button to sign it out everywhere. */
export function Sessions({ account: { id, email, sessions }, onEnded }: Props) {
  const t = useTexts(texts);
  const { number, moment } = useLanguage().formats;
  const isOwn = usePerson().accountId === id;
  const [isOpen, { open, close }] = useDisclosure();
  const signOutAll = async () => {
    onEnded(await endSessions(id));
    close();
  };
  const canEnd = sessions.count > (isOwn ? 1 : 0);
  return (
    <Section
      title={t.sessions}
      aside={
        canEnd ? (
          <Button size="xs" variant="default" className="danger" onClick={open}>
            {t.signOutAll}
          </Button>
        ) : null
      }
    >
      <Text data-testid="sessions">
        {sessions.lastSeenAt === undefined
          ? t.noSessions
          : t.sessionCount(number(sessions.count), moment(sessions.lastSeenAt))}
      </Text>
      <Ask
        title={t.signOutTitle(email)}
        about={isOwn ? t.signOutOwn : t.signOutAbout}
        button={t.signOutAll}
        isDangerous
        isOpen={isOpen}
        onClose={close}
        act={signOutAll}
      />
    </Section>
  );
}
