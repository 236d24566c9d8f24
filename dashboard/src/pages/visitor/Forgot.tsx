import { Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { requestReset } from "../../api/account.ts";
import { WithOperator } from "../../components/operator.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { linkTo } from "../../router/router.ts";
import { looksLikeEmail } from "./looksLikeEmail.ts";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

/** A lost password: a mail, or without mail the operator. */
export function Forgot({ state }: { readonly state: SessionState }) {
  const t = useTexts(texts);
  const [email, setEmail] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [isSent, setSent] = useState(false);
  const sending = useMutation(async () => {
    await requestReset(email.trim());
    setSent(true);
  });
  const back = <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>;
  if (!state.hasMail) {
    return (
      <Stack gap="lg">
        <PageTitle title={t.operatorResets} />
        <Text>
          <WithOperator text={t.operatorAbout} />
        </Text>
        <pre className="code" data-wrapped>
          opzoek account reset-password ID
        </pre>
        {back}
      </Stack>
    );
  }
  if (isSent) {
    return (
      <Stack gap="lg">
        <PageTitle title={t.mailSent} about={t.resetSent(email.trim())} />
        {back}
      </Stack>
    );
  }
  const send = () => {
    setChecked(true);
    if (looksLikeEmail(email)) void sending.run();
  };
  return (
    <VisitorForm
      title={t.forgotTitle}
      about={t.forgotAbout}
      failure={sending.failure}
      button={t.askReset}
      isBusy={sending.isBusy}
      onSend={send}
      email={{
        value: email,
        onChange: setEmail,
        error: isChecked && !looksLikeEmail(email) ? t.emailBad : undefined,
      }}
    >
      {back}
    </VisitorForm>
  );
}
