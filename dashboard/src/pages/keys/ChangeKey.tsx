import { Stack, Text } from "@mantine/core";
import type { AccountKey } from "../../../../src/contract/keyResources.ts";
import { changeKey } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Problem } from "../../components/Problem.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { boundTexts } from "./boundTexts.ts";
import { KeyForm } from "./KeyForm.tsx";
import { changeOf, fieldsOf, type KeyFields } from "./keyFields.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly of: AccountKey | undefined;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Gives a key another name, expiry or addresses. */
export function ChangeKey({ of, onClose, onChanged }: Props) {
  const t = useTexts(texts);
  const b = useTexts(boundTexts);
  const changing = useMutation(async (fields: KeyFields) => {
    if (of !== undefined) await changeKey(of.id, changeOf(fields, fieldsOf(of)));
    onChanged();
  });
  const refused = changing.failure?.field === "origins" ? t.originsRefused : undefined;
  const close = () => {
    changing.forget();
    onClose();
  };
  return (
    <Dialog title={b.changeTitle(of?.name ?? "")} isOpen={of !== undefined} onClose={close}>
      <Stack gap="lg">
        <Problem
          failure={changing.failure}
          says={changing.failure?.code === "NOT_FOUND" ? t.gone : refused}
        />
        <Text size="sm" c="dimmed">
          {b.changeAbout}
        </Text>
        {of === undefined ? null : (
          <KeyForm
            key={of.id}
            before={fieldsOf(of)}
            submit={b.save}
            isBusy={changing.isBusy}
            onSubmit={(fields) => void changing.run(fields)}
            onCancel={close}
          />
        )}
      </Stack>
    </Dialog>
  );
}
