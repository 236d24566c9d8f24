import { Button, Group, Text } from "@mantine/core";
import type { AccountKey } from "../../../../src/contract/accountResources.ts";
import { revokeKey } from "../../api/account.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useAction } from "../../load/useAction.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { Problem } from "../../parts/Problem.tsx";
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
  const revoking = useAction(async () => {
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
