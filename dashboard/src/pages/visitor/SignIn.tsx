import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { signIn } from "../../api/account.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useAction } from "../../load/useAction.ts";
import { Notice } from "../../parts/Notice.tsx";
import { PageTitle } from "../../parts/PageTitle.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { PasswordField } from "../../password/PasswordField.tsx";
import { goTo, linkTo } from "../../place/place.ts";
import { useSession } from "../../session/session.tsx";
import { EmailField } from "./EmailField.tsx";
import { Form } from "./Form.tsx";
import { texts } from "./texts.ts";

/** Coming back. `isReset` says that a new password was just saved. */
export function SignIn({ state, isReset }: { readonly state: SessionState; readonly isReset?: boolean }) {
  const t = useTexts(texts);
  const { formats } = useLanguage();
  const { take, ended } = useSession();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  // No more than this: an old account may have an address that is no longer taken.
  const hasAt = email.includes("@");
  const sending = useAction(async () => {
    take(await signIn(email.trim(), password));
    goTo("start");
  });
  const send = () => {
    setChecked(true);
    if (hasAt && password !== "") void sending.run();
  };
  const { code, retryAfterSeconds = 60 } = sending.failure ?? {};
  const says = {
    UNAUTHORIZED: t.wrong,
    RATE_LIMIT_EXCEEDED: t.tooManyTries(formats.duration(Math.max(1, retryAfterSeconds))),
  };
  return (
    <Stack gap="lg">
      <PageTitle title={t.signInTitle} />
      {isReset ? <Notice tone="good">{t.resetDone}</Notice> : null}
      {ended === "over" && !isReset ? <Notice tone="info">{t.ended}</Notice> : null}
      {ended === "deleted" ? <Notice tone="good">{t.deleted}</Notice> : null}
      <Problem
        failure={sending.failure}
        says={code === "UNAUTHORIZED" || code === "RATE_LIMIT_EXCEEDED" ? says[code] : undefined}
      />
      <Form button={t.signIn} isBusy={sending.isBusy} onSend={send}>
        <EmailField
          label={t.email}
          value={email}
          onChange={setEmail}
          error={isChecked && !hasAt ? t.emailBad : undefined}
        />
        <PasswordField
          label={t.password}
          value={password}
          onChange={setPassword}
          error={isChecked && password === "" ? t.passwordMissing : undefined}
          is="known"
        />
      </Form>
      <Group justify="space-between" gap="xs">
        <Anchor href={linkTo("forgot")} size="sm">
          {t.forgot}
        </Anchor>
        {state.signup === "closed" ? null : (
          <Text size="sm" c="dimmed">
            {t.noAccount}{" "}
            <Anchor href={linkTo("sign-up")} inherit>
              {t.signUp}
            </Anchor>
          </Text>
        )}
      </Group>
    </Stack>
  );
}
