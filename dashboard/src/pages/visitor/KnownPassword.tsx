import { Anchor } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { linkTo } from "../../router/router.ts";
import { texts } from "./texts.ts";
import { VisitorForm } from "./VisitorForm.tsx";

interface Props {
  readonly title: string;
  readonly about: string;
  readonly button: string;
  /** What it means that the service refuses the link with this password. */
  readonly refused: string;
  readonly onSend: (password: string) => Promise<void>;
}

/** Asks who comes by a link of a mail for the password that was chosen before. */
export function KnownPassword({ title, about, button, refused, onSend }: Props) {
  const t = useTexts(texts);
  const [password, setPassword] = useState("");
  const [isChecked, setChecked] = useState(false);
  const sending = useMutation(() => onSend(password));
  const send = () => {
    setChecked(true);
    if (password !== "") void sending.run();
  };
  return (
    <VisitorForm
      title={title}
      about={about}
      failure={sending.failure}
      says={sending.failure?.code === "FORBIDDEN" ? refused : undefined}
      button={button}
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
