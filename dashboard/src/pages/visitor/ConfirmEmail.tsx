import { Anchor, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { confirmEmail } from "../../api/account.ts";
import { Notice } from "../../components/Notice.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { goTo, linkTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

/** Where the link leads that a change of address sends to the new one. */
export function ConfirmEmail({ token }: { readonly token: string }) {
  const t = useTexts(texts);
  const { reload } = useSession();
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [isDone, setDone] = useState(false);
  const sending = useMutation(async () => {
    await confirmEmail(token, password);
    setDone(true);
  });
  const send = () => {
    setChecked(true);
    if (password !== "") void sending.run();
  };
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
    <VisitorForm
      title={t.emailTitle}
      about={t.emailAbout}
      failure={sending.failure}
      says={sending.failure?.code === "FORBIDDEN" ? t.emailBadLink : undefined}
      button={t.emailConfirm}
      isBusy={sending.isBusy}
      onSend={send}
      password={{
        label: t.password,
        value: password,
        onChange: setPassword,
        error: isChecked && password === "" ? t.passwordMissing : undefined,
        is: "known",
      }}
    >
      <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>
    </VisitorForm>
  );
}
