import { Anchor } from "@mantine/core";
import { resetPassword } from "../../api/account.ts";
import { useTexts } from "../../language/language.tsx";
import { useNewPassword } from "../../password/useNewPassword.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { linkTo } from "../../router/router.ts";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

interface Props {
  readonly token: string;
  readonly onDone: () => void;
}

/** Where the link to choose a new password leads. */
export function Reset({ token, onDone }: Props) {
  const t = useTexts(texts);
  const sending = useMutation(async () => {
    await resetPassword(token, chosen.value);
    onDone();
  });
  const chosen = useNewPassword(sending.failure);
  const send = () => {
    if (chosen.check()) void sending.run();
  };
  return (
    <VisitorForm
      title={t.resetTitle}
      about={t.resetAbout}
      failure={chosen.error === undefined ? sending.failure : undefined}
      says={sending.failure?.code === "FORBIDDEN" ? t.resetBad : undefined}
      button={t.reset}
      isBusy={sending.isBusy}
      onSend={send}
      password={{ label: t.newPassword, ...chosen.field }}
    >
      <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>
    </VisitorForm>
  );
}
