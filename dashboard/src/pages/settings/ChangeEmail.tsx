import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { askEmail } from "../../api/account.ts";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { PasswordField } from "../../password/PasswordField.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { usePerson, useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** Another address: a link goes there, and the change counts once it is opened. */
export function ChangeEmail() {
  const t = useTexts(texts);
  const person = usePerson();
  const { now } = useSession();
  const hasMail = now.state === "ready" && now.value.hasMail;
  const closed = person.isSuspended ? t.emailSuspended : hasMail ? undefined : t.emailByOperator;
  return (
    <Section title={t.email} about={closed ?? t.emailAbout}>
      {closed === undefined ? <Form /> : <Text>{person.email}</Text>}
    </Section>
  );
}

function Form() {
  const t = useTexts(texts);
  const { duration } = useLanguage().formats;
  const present = usePerson().email;
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const asking = useMutation(async () => {
    await askEmail(email.trim(), password);
    setSentTo(email.trim());
    setEmail("");
    setPassword("");
    setChecked(false);
  });
  const isBad = !email.includes("@") || email.trim().toLowerCase() === present;
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    setSentTo(undefined);
    if (!isBad && password !== "") void asking.run();
  };
  const { code, retryAfterSeconds = 60 } = asking.failure ?? {};
  const says =
    code === "FORBIDDEN"
      ? t.oldWrong
      : code === "RATE_LIMIT_EXCEEDED"
        ? t.emailTries(duration(Math.max(1, retryAfterSeconds)))
        : code === "INVALID_REQUEST"
          ? t.emailBad
          : undefined;
  return (
    <form noValidate onSubmit={send}>
      <Stack gap="md" maw={420}>
        {sentTo === undefined ? null : <Notice tone="good">{t.emailSent(sentTo)}</Notice>}
        <Problem failure={asking.failure} says={says} />
        <TextInput
          type="email"
          label={t.newEmail}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={isChecked && isBad ? t.emailBad : undefined}
          autoComplete="email"
          spellCheck={false}
          autoCapitalize="none"
          required
          withAsterisk={false}
        />
        <PasswordField
          label={t.confirmPassword}
          value={password}
          onChange={setPassword}
          error={isChecked && password === "" ? t.oldMissing : undefined}
          is="known"
        />
        <Group>
          <Button type="submit" loading={asking.isBusy}>
            {t.changeEmail}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
