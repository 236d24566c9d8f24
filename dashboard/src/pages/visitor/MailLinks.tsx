import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { confirm, confirmEmail, resetPassword } from "../../api/account.ts";
import { Notice } from "../../components/Notice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { KnownPassword, PasswordField } from "../../forms/fields.tsx";
import { useNewPassword } from "../../forms/useNewPassword.ts";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { goTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

/** The screen of the link in a confirmation mail. */
export function Confirm({ token }: { readonly token: string }) {
  const t = useTexts(texts);
  const { take } = useSession();
  return (
    <AskPassword
      title={t.confirmTitle}
      about={t.confirmAbout}
      button={t.confirm}
      refused={t.confirmBad}
      onSend={async (password) => {
        take(await confirm(token, password));
        goTo("start");
      }}
    />
  );
}

/** The screen of the link that confirms a new email address. */
export function ConfirmEmail({ token }: { readonly token: string }) {
  const t = useTexts(texts);
  const { reload } = useSession();
  const [isDone, setDone] = useState(false);
  const goOn = () => {
    reload();
    goTo("start");
  };
  if (isDone) {
    return (
      <Stack gap="lg">
        <PageTitle title={t.emailTitle} />
        <Notice tone="good">{t.emailDone}</Notice>
        <Button size="md" onClick={goOn}>
          {t.goOn}
        </Button>
      </Stack>
    );
  }
  return (
    <AskPassword
      title={t.emailTitle}
      about={t.emailAbout}
      button={t.emailConfirm}
      refused={t.emailBadLink}
      onSend={async (password) => {
        await confirmEmail(token, password);
        setDone(true);
      }}
    />
  );
}

interface AskPasswordProps {
  readonly title: string;
  readonly about: string;
  readonly button: string;
  /** Shown when the service refuses the link with this password. */
  readonly refused: string;
  readonly onSend: (password: string) => Promise<void>;
}

/** Asks for the password of the account of a mail link. */
function AskPassword({ refused, onSend, ...screen }: AskPasswordProps) {
  const t = useTexts(texts);
  const [password, setPassword] = useState("");
  const sending = useMutation(() => onSend(password));
  return (
    <VisitorForm
      {...screen}
      sending={sending}
      failureTexts={{ FORBIDDEN: refused }}
      isComplete={password !== ""}
      fields={(isChecked) => (
        <KnownPassword label={t.password} value={password} onChange={setPassword} isChecked={isChecked} />
      )}
    />
  );
}

interface ResetProps {
  readonly token: string;
  readonly onDone: () => void;
}

/** The screen of a password link: sets a new password. */
export function Reset({ token, onDone }: ResetProps) {
  const t = useTexts(texts);
  const sending = useMutation(async () => {
    await resetPassword(token, chosen.value);
    onDone();
  });
  const chosen = useNewPassword(sending.failure);
  return (
    <VisitorForm
      title={t.forgotTitle}
      about={t.resetAbout}
      sending={sending}
      failureTexts={{ FORBIDDEN: t.resetBad }}
      isComplete={chosen.isGood}
      button={t.reset}
      fields={(isChecked) => <PasswordField label={t.newPassword} {...chosen.field(isChecked)} />}
    />
  );
}
