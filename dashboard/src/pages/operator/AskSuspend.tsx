import { Button, Group, Text } from "@mantine/core";
import { Dialog } from "../../components/Dialog.tsx";
import { useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  /** Whose account; none while nothing is asked. */
  readonly email: string | undefined;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onSuspend: () => void;
}

/** Asks before an account is suspended. */
export function AskSuspend({ email, isBusy, onClose, onSuspend }: Props) {
  const t = useTexts(texts);
  return (
    <Dialog title={t.suspendTitle(email ?? "")} isOpen={email !== undefined} onClose={onClose}>
      <Text>{t.suspendAbout}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t.cancel}
        </Button>
        <Button color="red.9" loading={isBusy} onClick={onSuspend}>
          {t.suspend}
        </Button>
      </Group>
    </Dialog>
  );
}
