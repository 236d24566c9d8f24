import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { AdminAccount } from "../../../../../src/contract/oneAccountResources.ts";
import { endSessions } from "../../../api/operator.ts";
import { Dialog } from "../../../components/Dialog.tsx";
import { Problem } from "../../../components/Problem.tsx";
import { Section } from "../../../components/Section.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { usePerson } from "../../../session/session.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly account: AdminAccount;
  readonly onEnded: (account: AdminAccount) => void;
}

/** Where the account is signed in, and the end of that. */
export function Sessions({ account: { id, email, sessions }, onEnded }: Props) {
  const t = useTexts(texts);
  const { number, moment } = useLanguage().formats;
  const isOwn = usePerson().accountId === id;
  const [isAsking, setAsking] = useState(false);
  const ending = useMutation(async () => {
    onEnded(await endSessions(id));
    setAsking(false);
  });
  const close = () => {
    ending.forget();
    setAsking(false);
  };
  const canEnd = sessions.count > (isOwn ? 1 : 0);
  return (
    <Section
      title={t.sessions}
      aside={
        canEnd ? (
          <Button size="xs" variant="default" className="danger" onClick={() => setAsking(true)}>
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
      <Dialog title={t.signOutTitle(email)} isOpen={isAsking} onClose={close}>
        <Problem failure={ending.failure} />
        <Text>{isOwn ? t.signOutOwn : t.signOutAbout}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t.cancel}
          </Button>
          <Button color="red.9" loading={ending.isBusy} onClick={() => ending.run()}>
            {t.signOutAll}
          </Button>
        </Group>
      </Dialog>
    </Section>
  );
}
