import { Anchor } from "@mantine/core";
import { useState } from "react";
import { confirm } from "../../api/account.ts";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { goTo, linkTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

/** Where the link of the confirmation mail leads. */
export function Confirm({ token }: { readonly token: string }) {
  const t = useTexts(texts);
  const { take } = useSession();
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  const sending = useMutation(async () => {
    take(await confirm(token, password));
    goTo("start");
  });
  const send = () => {
    setChecked(true);
    if (password !== "") void sending.run();
  };
  return (
    <VisitorForm
      title={t.confirmTitle}
      about={t.confirmAbout}
      failure={sending.failure}
      says={sending.failure?.code === "FORBIDDEN" ? t.confirmBad : undefined}
      button={t.confirm}
      isBusy={sending.isBusy}
      onSend={send}
      password={{
        label: t.password,
        value: password,
        onChange: setPassword,
        error: isChecked && password === "" ? t.passwordMissing : undefined,
        is: "known",
      }}
    >
      <Anchor href={linkTo("sign-in")}>{t.back}</Anchor>
    </VisitorForm>
  );
}
