import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { deleteAccount, EXPORT } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { MutedText } from "../../components/MutedText.ts";
import { Section } from "../../components/Section.tsx";
import { PasswordForm } from "../../forms/ConfirmDialog.tsx";
import { useTexts } from "../../language/language.tsx";
import { goTo } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

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

export function DeleteAccount() {
  const t = useTexts(texts);
  const { leave } = useSession();
  const [isAsking, { open, close }] = useDisclosure();
  const finish = async (password: string) => {
    await deleteAccount(password);
    leave("deleted");
    goTo("sign-in");
  };
  return (
    <Section title={t.delete} about={t.deleteAbout}>
      <Group>
        <Button variant="default" className="danger" onClick={open}>
          {t.delete}
        </Button>
      </Group>
      <Dialog title={t.deleteTitle} isOpen={isAsking} onClose={close}>
        <PasswordForm
          label={t.confirmPassword}
          act={finish}
          failureTexts={{ FORBIDDEN: t.passwordWrong }}
          button={t.deleteFinal}
          isDangerous
          onClose={close}
        >
          <Text>{t.deleteAbout}</Text>
          <MutedText>{t.deleteMore}</MutedText>
        </PasswordForm>
      </Dialog>
    </Section>
  );
}
