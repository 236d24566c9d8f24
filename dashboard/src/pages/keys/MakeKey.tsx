import { makeKey } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Problem } from "../../components/Problem.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import type { ShownKey } from "../../session/session.tsx";
import { KeyForm } from "./KeyForm.tsx";
import { changeOf, type KeyFields, NO_FIELDS } from "./keyFields.ts";
import { keyProblem } from "./keyProblem.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: ShownKey) => void;
  /** Keys that may be made a day; undefined until that is known. */
  readonly mostADay: number | undefined;
}

/** Asks for a name, and bounds if one wants them, and makes a key, which `onMade` shows. */
export function MakeKey({ isOpen, onClose, onMade, mostADay }: Props) {
  const t = useTexts(texts);
  const { formats } = useLanguage();
  const making = useMutation(async (fields: KeyFields) => {
    const made = await makeKey({ ...changeOf(fields, NO_FIELDS), kind: fields.kind });
    onMade({ ...made, mayLookUp: fields.browser.mayLookUp });
  });
  const close = () => {
    making.forget();
    onClose();
  };
  return (
    <Dialog title={t.make} isOpen={isOpen} onClose={close}>
      <Problem failure={making.failure} says={keyProblem(making.failure, t, formats, mostADay)} />
      <KeyForm
        before={NO_FIELDS}
        isNew
        submit={t.makeButton}
        isBusy={making.isBusy}
        onSubmit={(fields) => void making.run(fields)}
        onCancel={close}
      />
    </Dialog>
  );
}
