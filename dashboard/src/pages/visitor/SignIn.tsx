import { Anchor, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { signIn } from "../../api/account.ts";
import { MutedText } from "../../components/MutedText.ts";
import { Notice } from "../../components/Notice.tsx";
import { WithOperator } from "../../components/operator.tsx";
import { CodeField, EmailField, KnownPassword } from "../../forms/fields.tsx";
import { useTexts } from "../../language/language.tsx";
import { type Mutation, useMutation } from "../../queries/useMutation.ts";
import { goToApp, linkTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

/** Signs in. `isReset`: a new password was just saved. */
export function SignIn({ state, isReset }: { readonly state: SessionState; readonly isReset: boolean }) {
  const t = useTexts(texts);
  const { take, ended, left } = useSession();
  const [email, setEmail] = useState(left?.email ?? "");
  const [password, setPassword] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  // No further validation: an old account may have an address that is no longer accepted.
  const hasAt = email.includes("@");
  const sending = useMutation(async (code?: string) => {
    const answer = await signIn(email.trim(), password, code);
    if (answer.needsCode === true) return setNeedsCode(true);
    take(answer);
    goToApp();
  });
  if (needsCode) {
    const startOver = () => {
      sending.forget();
      setNeedsCode(false);
    };
    return <SecondStep sending={sending} onReconnect={startOver} />;
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
      sending={sending}
      failureTexts={{ UNAUTHORIZED: t.wrong, RATE_LIMIT_EXCEEDED: t.tooManyAttempts }}
      isComplete={hasAt && password !== ""}
      button={t.signIn}
      fields={(isChecked) => (
        <>
          <EmailField
            value={email}
            onChange={setEmail}
            error={isChecked && !hasAt ? t.emailBad : undefined}
            autoComplete="username"
          />
          <KnownPassword label={t.password} value={password} onChange={setPassword} isChecked={isChecked} />
        </>
      )}
    >
      <Group justify="space-between" gap="xs">
        <Anchor href={linkTo("forgot")} size="sm">
          {t.forgot}
        </Anchor>
        {state.signup === "closed" ? null : (
          <MutedText>
            {t.noAccount}{" "}
            <Anchor href={linkTo("sign-up")} inherit>
              {t.signUp}
            </Anchor>
          </MutedText>
        )}
      </Group>
    </VisitorForm>
  );
}

interface SecondStepProps {
  readonly sending: Mutation<[code?: string]>;
  readonly onReconnect: () => void;
}

/** Asks for the two-factor code after the correct password. */
function SecondStep({ sending, onReconnect }: SecondStepProps) {
  const t = useTexts(texts);
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const change = () => {
    sending.forget();
    setCode("");
    setRecovery(!isRecovery);
  };
  return (
    <VisitorForm
      key={String(isRecovery)}
      title={t.codeTitle}
      about={isRecovery ? t.recoveryAbout : t.codeAbout}
      sending={{ ...sending, run: () => sending.run(code) }}
      failureTexts={{
        INVALID_REQUEST: isRecovery ? t.recoveryBad : t.codeBad,
        RATE_LIMIT_EXCEEDED: t.codeTries,
        SERVICE_UNAVAILABLE: isRecovery ? undefined : t.codeAway,
        UNAUTHORIZED: t.wrong,
      }}
      isComplete={code.trim() !== ""}
      button={t.signIn}
      fields={(isChecked) => (
        <CodeField
          value={code}
          onChange={setCode}
          isChecked={isChecked}
          isRecovery={isRecovery}
          onSwitch={change}
          isFirst
        />
      )}
    >
      <Stack gap="xs" align="flex-start">
        <Anchor component="button" type="button" size="sm" onClick={onReconnect}>
          {t.back}
        </Anchor>
        <MutedText>
          <WithOperator text={t.lostBoth} />
        </MutedText>
      </Stack>
    </VisitorForm>
  );
}
