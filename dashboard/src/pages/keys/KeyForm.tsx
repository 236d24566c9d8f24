import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { boundTexts } from "./boundTexts.ts";
import { faultsOf, type KeyFields, MOST_ADDRESSES } from "./keyFields.ts";
import { texts } from "./texts.ts";

interface Props {
  /** What is filled in to begin with. */
  readonly before: KeyFields;
  readonly submit: string;
  readonly isBusy: boolean;
  readonly onSubmit: (fields: KeyFields) => void;
  readonly onCancel: () => void;
}

/** Asks for a key's name, expiry and addresses, each with its own message. */
export function KeyForm({ before, submit, isBusy, onSubmit, onCancel }: Props) {
  const t = useTexts(texts);
  const b = useTexts(boundTexts);
  const { number } = useLanguage().formats;
  const [fields, setFields] = useState(before);
  const [isChecked, setChecked] = useState(false);
  const faults = faultsOf(fields, before, Date.now());
  const change = (part: Partial<KeyFields>) => setFields((known) => ({ ...known, ...part }));
  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const isGood = !faults.name && !faults.expiry && !faults.tooManyAddresses && faults.address === undefined;
    if (isGood) onSubmit(fields);
  };
  const wrongAddresses = faults.tooManyAddresses
    ? b.addressesMany(number(MOST_ADDRESSES))
    : faults.address === undefined
      ? undefined
      : b.addressesWrong(faults.address);
  return (
    <form noValidate onSubmit={send}>
      <Stack gap="lg">
        <TextInput
          label={t.name}
          description={t.nameAbout}
          value={fields.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={isChecked && faults.name ? t.nameMissing : undefined}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          type="date"
          label={b.expiry}
          description={b.expiryAbout}
          value={fields.expiry}
          onChange={(event) => change({ expiry: event.currentTarget.value })}
          error={isChecked && faults.expiry ? b.expiryWrong : undefined}
        />
        <Textarea
          label={b.addresses}
          description={b.addressesAbout}
          value={fields.addresses}
          onChange={(event) => change({ addresses: event.currentTarget.value })}
          error={isChecked ? wrongAddresses : undefined}
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
