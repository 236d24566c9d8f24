import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { deleteAccount, EXPORT } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Quiet } from "../../components/Quiet.ts";
import { Section } from "../../components/Section.tsx";
import { Form } from "../../forms/Form.tsx";
import { KnownPassword } from "../../forms/fields.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { goTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** All that the service stores about the person, as a file. */
export function DownloadData() {
  const t = useTexts(texts);
  return (
    <Section title={t.takeAlong} about={t.takeAlongAbout}>
      <Group>
        <Button component="a" href={EXPORT} download variant="default">
          {t.download}
        </Button>
      </Group>
    </Section>
  );
}

/** Deletes the account. It asks for the password, as this cannot be undone. */
export function DeleteAccount() {
  const t = useTexts(texts);
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <Section title={t.delete} about={t.deleteAbout}>
      <Group>
        <Button variant="default" className="danger" onClick={() => setAsking(true)}>
          {t.delete}
        </Button>
      </Group>
      <Dialog title={t.deleteTitle} isOpen={isAsking} onClose={close}>
        <DeleteForm onClose={close} />
      </Dialog>
    </Section>
  );
}

function DeleteForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { leave } = useSession();
  const [password, setPassword] = useState("");
  const deleting = useMutation(async () => {
    await deleteAccount(password);
    leave("deleted");
    goTo("sign-in");
  });
  return (
    <Form
      sending={deleting}
      says={{ FORBIDDEN: t.passwordWrong }}
      isComplete={password !== ""}
      button={t.deleteFinal}
      isDangerous
      onClose={onClose}
    >
      {(isChecked) => (
        <>
          <Text>{t.deleteAbout}</Text>
          <Quiet>{t.deleteMore}</Quiet>
          <KnownPassword
            label={t.confirmPassword}
            value={password}
            onChange={setPassword}
            isChecked={isChecked}
          />
        </>
      )}
    </Form>
  );
}
