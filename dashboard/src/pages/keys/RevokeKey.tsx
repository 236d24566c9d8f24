import { Button, Group, Text } from "@mantine/core";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";
import { revokeKey } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Problem } from "../../components/Problem.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { keyProblem } from "./keyProblem.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly of: AccountKey | undefined;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

/** Asks before a key is revoked: that cannot be undone. */
export function RevokeKey({ of, onClose, onRevoked }: Props) {
  const t = useTexts(texts);
  const { formats } = useLanguage();
  const revoking = useMutation(async () => {
    if (of !== undefined) await revokeKey(of.id);
    onRevoked();
  });
  const close = () => {
    revoking.forget();
    onClose();
  };
  return (
    <Dialog title={t.revokeTitle(of?.name ?? "")} isOpen={of !== undefined} onClose={close}>
      <Problem failure={revoking.failure} says={keyProblem(revoking.failure, t, formats)} />
      <Text>{t.revokeAbout}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          {t.cancel}
        </Button>
        <Button color="red.9" loading={revoking.isBusy} onClick={() => revoking.run()}>
          {t.revokeButton}
        </Button>
      </Group>
    </Dialog>
  );
}
