import { Text } from "@mantine/core";
import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { requestReset } from "../../api/account.ts";
import { WithOperator } from "../../components/operator.tsx";
import { EmailField } from "../../forms/fields.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { looksLikeEmail } from "./SignUp.tsx";
import { texts } from "./texts.ts";
import { VisitorForm, VisitorMessage } from "./VisitorForm.tsx";

/** Requests a link to set a new password. If the service sends no email, refers to the operator. */
export function Forgot({ state }: { readonly state: SessionState }) {
  const t = useTexts(texts);
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const sending = useMutation(async () => {
    await requestReset(email.trim());
    setSent(true);
  });
  if (!state.hasMail) {
    return (
      <VisitorMessage title={t.operatorResets}>
        <Text>
          <WithOperator text={t.operatorAbout} />
        </Text>
        <pre className="code" data-wrapped>
          opzoek account reset-password ID
        </pre>
      </VisitorMessage>
    );
  }
  if (isSent) return <VisitorMessage title={t.mailSent} about={t.resetSent(email.trim())} />;
  const isGood = looksLikeEmail(email);
  return (
    <VisitorForm
      title={t.forgotTitle}
      about={t.forgotAbout}
      sending={sending}
      isComplete={isGood}
      button={t.askReset}
      fields={(isChecked) => (
        <EmailField
          value={email}
          onChange={setEmail}
          error={isChecked && !isGood ? t.emailBad : undefined}
          autoComplete="username"
        />
      )}
    />
  );
}
