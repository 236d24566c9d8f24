import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { changePassword } from "../../api/account.ts";
import { Arrival } from "../../components/Arrival.tsx";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useTexts } from "../../language/language.tsx";
import { PasswordField } from "../../password/PasswordField.tsx";
import { useNewPassword } from "../../password/useNewPassword.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { texts } from "./texts.ts";

/** A new password for the old one; every other device is signed out, which `onChanged` is told. */
export function ChangePassword({ onChanged }: { readonly onChanged: () => void }) {
  const t = useTexts(texts);
  const [old, setOld] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [isDone, setDone] = useState(false);
  const changing = useMutation(async () => {
    await changePassword(old, chosen.value);
    setOld("");
    chosen.setValue("");
    setChecked(false);
    chosen.uncheck();
    setDone(true);
    onChanged();
  });
  const chosen = useNewPassword(changing.failure);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    setDone(false);
    if (chosen.check() && old !== "") void changing.run();
  };
  return (
    <Section title={t.password} about={t.passwordAbout}>
      <form noValidate onSubmit={send}>
        <Stack gap="md" maw={420}>
          {isDone ? (
            <Arrival>
              <Notice tone="good">{t.changed}</Notice>
            </Arrival>
          ) : null}
          {chosen.error === undefined ? (
            <Problem
              failure={changing.failure}
              says={changing.failure?.code === "FORBIDDEN" ? t.oldWrong : undefined}
            />
          ) : null}
          <PasswordField
            label={t.old}
            value={old}
            onChange={setOld}
            error={isChecked && old === "" ? t.oldMissing : undefined}
            is="known"
          />
          <PasswordField label={t.new} {...chosen.field} />
          <Group>
            <Button type="submit" loading={changing.isBusy}>
              {t.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
