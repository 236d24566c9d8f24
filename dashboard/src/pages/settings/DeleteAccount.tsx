import { Button, Group, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { deleteAccount } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Section } from "../../components/Section.tsx";
import { useTexts } from "../../language/language.tsx";
import { PasswordField } from "../../password/PasswordField.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { goTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** The way out: asks for the password, as it cannot be undone. */
export function DeleteAccount() {
  const t = useTexts(texts);
  const { leave } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [password, setPassword] = useState("");
  const deleting = useMutation(async () => {
    await deleteAccount(password);
    leave("deleted");
    goTo("sign-in");
  });
  const close = () => {
    deleting.forget();
    setPassword("");
    setAsking(false);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (password !== "") void deleting.run();
  };
  return (
    <Section title={t.delete} about={t.deleteAbout}>
      <Group>
        <Button variant="default" className="danger" onClick={() => setAsking(true)}>
          {t.deleteButton}
        </Button>
      </Group>
      <Dialog title={t.deleteTitle} isOpen={isAsking} onClose={close}>
        <Text>{t.deleteAbout}</Text>
        <Text size="sm" c="dimmed">
          {t.deleteMore}
        </Text>
        <form noValidate onSubmit={send}>
          <Stack gap="lg">
            <Problem
              failure={deleting.failure}
              says={deleting.failure?.code === "FORBIDDEN" ? t.passwordWrong : undefined}
            />
            <PasswordField label={t.confirmPassword} value={password} onChange={setPassword} is="known" />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t.cancel}
              </Button>
              <Button type="submit" color="red.9" disabled={password === ""} loading={deleting.isBusy}>
                {t.deleteFinal}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </Section>
  );
}
