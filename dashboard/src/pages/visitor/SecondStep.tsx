import { Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { WithOperator } from "../../components/operator.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import type { Mutation } from "../../queries/useMutation.ts";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

interface Props {
  readonly sending: Mutation<[code?: string]>;
  readonly onBack: () => void;
}

/** The code that an account with two-factor sign-in is asked for, once the password was right. */
export function SecondStep({ sending, onBack }: Props) {
  const t = useTexts(texts);
  const { formats } = useLanguage();
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const send = () => {
    setChecked(true);
    if (code.trim() !== "") void sending.run(code);
  };
  const change = () => {
    sending.forget();
    setChecked(false);
    setCode("");
    setRecovery(!isRecovery);
  };
  const { code: failed, retryAfterSeconds = 60 } = sending.failure ?? {};
  const says =
    failed === "INVALID_REQUEST"
      ? isRecovery
        ? t.recoveryBad
        : t.codeBad
      : failed === "RATE_LIMIT_EXCEEDED"
        ? t.codeTries(formats.duration(Math.max(1, retryAfterSeconds)))
        : failed === "SERVICE_UNAVAILABLE" && !isRecovery
          ? t.codeAway
          : failed === "UNAUTHORIZED"
            ? t.wrong
            : undefined;
  return (
    <VisitorForm
      title={t.codeTitle}
      about={isRecovery ? t.recoveryAbout : t.codeAbout}
      failure={sending.failure}
      says={says}
      button={t.signIn}
      isBusy={sending.isBusy}
      onSend={send}
      code={{
        value: code,
        onChange: setCode,
        isMissing: isChecked && code.trim() === "",
        is: isRecovery ? "recovery" : "code",
      }}
    >
      <Stack gap="xs" align="flex-start">
        <Anchor component="button" type="button" size="sm" onClick={change}>
          {isRecovery ? t.useCode : t.useRecovery}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t.back}
        </Anchor>
        <Text size="sm" c="dimmed">
          <WithOperator text={t.lostBoth} />
        </Text>
      </Stack>
    </VisitorForm>
  );
}
