import { Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { requestEmailChange, setAllowanceMails } from "../../api/account.ts";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { Form } from "../../forms/Form.tsx";
import { EmailField, KnownPassword } from "../../forms/fields.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { usePerson, useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** Changes the email address: a link is sent to the new one, and the change takes effect once it is opened. */
export function ChangeEmail() {
  const t = useTexts(texts);
  const person = usePerson();
  const hasMail = useSession().value?.hasMail === true;
  const closed = person.isSuspended ? t.emailSuspended : hasMail ? undefined : t.emailByOperator;
  return (
    <Section title={t.email} about={closed ?? t.emailAbout}>
      {closed === undefined ? <EmailForm present={person.email} /> : <Text>{person.email}</Text>}
    </Section>
  );
}

function EmailForm({ present }: { readonly present: string }) {
  const t = useTexts(texts);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [sentTo, setSentTo] = useState<string>();
  const asking = useMutation(async () => {
    setSentTo(undefined);
    await requestEmailChange(email.trim(), password);
    setSentTo(email.trim());
    setEmail("");
    setPassword("");
  });
  const isBad = !email.includes("@") || email.trim().toLowerCase() === present;
  return (
    <Form
      sending={asking}
      failureTexts={{ FORBIDDEN: t.oldWrong, RATE_LIMIT_EXCEEDED: t.emailTries, INVALID_REQUEST: t.emailBad }}
      isComplete={!isBad && password !== ""}
      button={t.changeEmail}
    >
      {(isChecked) => (
        <>
          {sentTo === undefined ? null : <Notice tone="good">{t.emailSent(sentTo)}</Notice>}
          <EmailField
            label={t.newEmail}
            value={email}
            onChange={setEmail}
            error={isChecked && isBad ? t.emailBad : undefined}
            autoComplete="email"
          />
          <KnownPassword
            label={t.confirmPassword}
            value={password}
            onChange={setPassword}
            isChecked={isChecked}
          />
        </>
      )}
    </Form>
  );
}

/** Turns emails about used tokens on and off, if this service sends email. */
export function AllowanceMails() {
  const t = useTexts(texts);
  const { allowanceMails } = usePerson();
  const { value, reload } = useSession();
  const hasMail = value?.hasMail === true;
  const setting = useMutation(async (areWanted: boolean) => {
    await setAllowanceMails(areWanted);
    reload();
  });
  return (
    <Section title={t.allowanceMails} about={hasMail ? t.allowanceMailsAbout : t.allowanceMailsNone}>
      {hasMail ? (
        <Stack gap="md">
          <Problem failure={setting.failure} />
          <Switch
            label={t.allowanceMailsOn}
            checked={allowanceMails}
            onChange={(event) => void setting.run(event.currentTarget.checked)}
          />
        </Stack>
      ) : null}
    </Section>
  );
}
