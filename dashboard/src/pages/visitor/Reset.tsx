import { Anchor, Stack } from "@mantine/core";
import { resetPassword } from "../../api/account.ts";
import { useTexts } from "../../language/language.tsx";
import { useAction } from "../../load/useAction.ts";
import { PageTitle } from "../../parts/PageTitle.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { PasswordField } from "../../password/PasswordField.tsx";
import { useNewPassword } from "../../password/useNewPassword.ts";
import { linkTo } from "../../place/place.ts";
import { Form } from "./Form.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly token: string;
  readonly onDone: () => void;
}

/** Where the link to choose a new password leads. */
export function Reset({ token, onDone }: Props) {
  const t = useTexts(texts);
  const sending = useAction(async () => {
    await resetPassword(token, chosen.value);
    onDone();
  });
  const chosen = useNewPassword(sending.failure);
  const send = () => {
    if (chosen.check()) void sending.run();
  };
  return (
    <Stack gap="lg">
      <PageTitle title={t.resetTitle} about={t.resetAbout} />
      {chosen.error === undefined ? (
        <Problem
          failure={sending.failure}
          says={sending.failure?.code === "FORBIDDEN" ? t.resetBad : undefined}
        />
      ) : null}
      <Form button={t.reset} isBusy={sending.isBusy} onSend={send}>
        <PasswordField
          label={t.newPassword}
          about={chosen.rule}
          value={chosen.value}
          onChange={chosen.setValue}
          error={chosen.error}
          is="new"
        />
      </Form>
      <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>
    </Stack>
  );
}
