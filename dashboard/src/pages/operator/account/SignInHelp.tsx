import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { AdminAccount, AdminLink } from "../../../../../src/contract/oneAccountResources.ts";
import { endSessions, makePasswordLink, resetTwoFactor } from "../../../api/operator.ts";
import { Dialog } from "../../../components/Dialog.tsx";
import { Section } from "../../../components/Section.tsx";
import { ConfirmDialog, PasswordForm } from "../../../forms/ConfirmDialog.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { usePerson } from "../../../session/session.tsx";
import { NewLink } from "../Invite.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly account: AdminAccount;
  readonly onChanged: () => void;
}

type Action = "link" | "twoFactor";

/** Helps people who cannot sign in: creates a password link, and turns off two-factor sign-in. */
export function SignInHelp({ account: { id, email, twoFactor }, onChanged }: Props) {
  const t = useTexts(texts);
  const [action, setAction] = useState<Action>();
  const [created, setCreated] = useState<AdminLink>();
  const close = () => {
    setAction(undefined);
    setCreated(undefined);
  };
  const send = async (password: string) => {
    if (action === "link") return setCreated(await makePasswordLink(id, password));
    await resetTwoFactor(id, password);
    close();
    onChanged();
  };
  const actionTexts = action === "twoFactor" ? t.resetTwoFactor : t.passwordLink;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAction("link")}>
        {t.passwordLink.open}
      </Button>
      {twoFactor.isOn ? (
        <Button size="xs" variant="default" className="danger" onClick={() => setAction("twoFactor")}>
          {t.resetTwoFactor.open}
        </Button>
      ) : null}
      <Dialog
        title={actionTexts.title(email)}
        isOpen={action !== undefined}
        onClose={close}
        isFirm={created !== undefined}
      >
        {created === undefined ? (
          <PasswordForm
            label={t.ownPassword}
            act={send}
            failureTexts={{ FORBIDDEN: t.passwordWrong }}
            button={actionTexts.button}
            onClose={close}
          >
            <Text>{actionTexts.about}</Text>
          </PasswordForm>
        ) : (
          <NewLink about={t.passwordLink.made} made={created} onClose={close} />
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
export function AccountSessions({ account: { id, email, sessions }, onEnded }: SessionsProps) {
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
      <ConfirmDialog
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
