import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { AdminAccount, AdminLink } from "../../../../../src/contract/oneAccountResources.ts";
import { endSessions, makePasswordLink, resetTwoFactor } from "../../../api/operator.ts";
import { Dialog } from "../../../components/Dialog.tsx";
import { Section } from "../../../components/Section.tsx";
import { Ask, PasswordForm } from "../../../forms/Ask.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { usePerson } from "../../../session/session.tsx";
import { NewLink } from "../Invite.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly account: AdminAccount;
  readonly onChanged: () => void;
}

type Asking = "link" | "twoFactor";

/** Helps people who cannot sign in: creates a password link, and turns off two-factor sign-in. */
export function WaysIn({ account: { id, email, twoFactor }, onChanged }: Props) {
  const t = useTexts(texts);
  const [asking, setAsking] = useState<Asking>();
  const [made, setMade] = useState<AdminLink>();
  const close = () => {
    setAsking(undefined);
    setMade(undefined);
  };
  const send = async (password: string) => {
    if (asking === "link") return setMade(await makePasswordLink(id, password));
    await resetTwoFactor(id, password);
    close();
    onChanged();
  };
  const says = asking === "twoFactor" ? t.resetTwoFactor : t.passwordLink;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking("link")}>
        {t.passwordLink.open}
      </Button>
      {twoFactor.isOn ? (
        <Button size="xs" variant="default" className="danger" onClick={() => setAsking("twoFactor")}>
          {t.resetTwoFactor.open}
        </Button>
      ) : null}
      <Dialog
        title={says.title(email)}
        isOpen={asking !== undefined}
        onClose={close}
        isFirm={made !== undefined}
      >
        {made === undefined ? (
          <PasswordForm
            label={t.ownPassword}
            act={send}
            says={{ FORBIDDEN: t.passwordWrong }}
            button={says.button}
            onClose={close}
          >
            <Text>{says.about}</Text>
          </PasswordForm>
        ) : (
          <NewLink about={t.passwordLink.made} made={made} onClose={close} />
        )}
      </Dialog>
    </>
  );
}

interface SessionsProps {
  readonly account: AdminAccount;
  readonly onEnded: (account: AdminAccount) => void;
}

/** The number of signed-in devices, and a button to sign out everywhere. */
export function Sessions({ account: { id, email, sessions }, onEnded }: SessionsProps) {
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
