import { Anchor, Stack } from "@mantine/core";
import { useState } from "react";
import { confirm } from "../../api/account.ts";
import { useTexts } from "../../language/language.tsx";
import { useAction } from "../../load/useAction.ts";
import { PageTitle } from "../../parts/PageTitle.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { PasswordField } from "../../password/PasswordField.tsx";
import { goTo, linkTo } from "../../place/place.ts";
import { useSession } from "../../session/session.tsx";
import { Form } from "./Form.tsx";
import { texts } from "./texts.ts";

/** Where the link of the confirmation mail leads. */
export function Confirm({ token }: { readonly token: string }) {
  const t = useTexts(texts);
  const { take } = useSession();
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  const sending = useAction(async () => {
    take(await confirm(token, password));
    goTo("start");
  });
  const send = () => {
    setChecked(true);
    if (password !== "") void sending.run();
  };
  return (
    <Stack gap="lg">
      <PageTitle title={t.confirmTitle} about={t.confirmAbout} />
      <Problem
        failure={sending.failure}
        says={sending.failure?.code === "FORBIDDEN" ? t.confirmBad : undefined}
      />
      <Form button={t.confirm} isBusy={sending.isBusy} onSend={send}>
        <PasswordField
          label={t.password}
          value={password}
          onChange={setPassword}
          error={isChecked && password === "" ? t.passwordMissing : undefined}
          is="known"
        />
      </Form>
      <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>
    </Stack>
  );
}
