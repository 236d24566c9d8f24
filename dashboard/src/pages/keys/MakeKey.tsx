import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { NewAccountKey } from "../../../../src/contract/accountResources.ts";
import { makeKey } from "../../api/account.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Problem } from "../../components/Problem.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { keyProblem } from "./keyProblem.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (made: NewAccountKey) => void;
  /** Keys that may be made a day; undefined until that is known. */
  readonly mostADay: number | undefined;
}

const LONGEST_NAME = 100;

/** Asks for a name and makes a key, which `onMade` shows. */
export function MakeKey({ isOpen, onClose, onMade, mostADay }: Props) {
  const t = useTexts(texts);
  const { formats } = useLanguage();
  const [name, setName] = useState("");
  const [isChecked, setChecked] = useState(false);
  const making = useMutation(async () => {
    onMade(await makeKey(name.trim()));
    setName("");
    setChecked(false);
  });
  const isGood = name.trim() !== "" && name.trim().length <= LONGEST_NAME;
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isGood) void making.run();
  };
  const close = () => {
    making.forget();
    setChecked(false);
    onClose();
  };
  return (
    <Dialog title={t.make} isOpen={isOpen} onClose={close}>
      <form noValidate onSubmit={send}>
        <Stack gap="lg">
          <Problem failure={making.failure} says={keyProblem(making.failure, t, formats, mostADay)} />
          <TextInput
            label={t.name}
            description={t.nameAbout}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={isChecked && !isGood ? t.nameMissing : undefined}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={making.isBusy}>
              {t.makeButton}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
