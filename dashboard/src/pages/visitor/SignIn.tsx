import { Anchor, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { signIn } from "../../api/account.ts";
import { Notice } from "../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { goInside, linkTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { SecondStep } from "./SecondStep.tsx";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

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
  const [needsCode, setNeedsCode] = useState(false);
  const sending = useMutation(async (typedCode?: string) => {
    const answer = await signIn(email.trim(), password, typedCode);
    if (answer.needsCode === true) return setNeedsCode(true);
    take(answer);
    goInside();
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
  if (needsCode) {
    const startOver = () => {
      sending.forget();
      setNeedsCode(false);
    };
    return <SecondStep sending={sending} onBack={startOver} />;
  }
  return (
    <VisitorForm
      title={t.signInTitle}
      notices={
        <>
          {isReset ? <Notice tone="good">{t.resetDone}</Notice> : null}
          {ended === "over" && !isReset ? <Notice tone="info">{t.ended}</Notice> : null}
          {ended === "out" && !isReset ? <Notice tone="good">{t.signedOut}</Notice> : null}
          {ended === "deleted" ? <Notice tone="good">{t.deleted}</Notice> : null}
        </>
      }
      failure={sending.failure}
      says={code === "UNAUTHORIZED" || code === "RATE_LIMIT_EXCEEDED" ? says[code] : undefined}
      button={t.signIn}
      isBusy={sending.isBusy}
      onSend={send}
      email={{ value: email, onChange: setEmail, error: isChecked && !hasAt ? t.emailBad : undefined }}
      password={{
        label: t.password,
        value: password,
        onChange: setPassword,
        error: isChecked && password === "" ? t.passwordMissing : undefined,
        is: "known",
      }}
    >
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
    </VisitorForm>
  );
}
