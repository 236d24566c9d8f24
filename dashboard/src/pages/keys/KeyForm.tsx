import { Button, Group, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { KEY_KINDS, type KeyKind } from "../../../../src/contract/keyKinds.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { BrowserInputs } from "./BrowserInputs.tsx";
import { boundTexts } from "./boundTexts.ts";
import { type BrowserFields, browserFaultsOf } from "./browserFields.ts";
import { browserTexts } from "./browserTexts.ts";
import { faultsOf, type KeyFields, MOST_ADDRESSES } from "./keyFields.ts";
import { texts } from "./texts.ts";

interface Props {
  /** What is filled in to begin with. */
  readonly before: KeyFields;
  /** A key that is there keeps its kind. */
  readonly isNew?: boolean;
  readonly submit: string;
  readonly isBusy: boolean;
  readonly onSubmit: (fields: KeyFields) => void;
  readonly onCancel: () => void;
}

/** Asks for a key's name, kind, pages, expiry and addresses, each with its own message. */
export function KeyForm({ before, isNew = false, submit, isBusy, onSubmit, onCancel }: Props) {
  const t = useTexts(texts);
  const b = useTexts(boundTexts);
  const { number } = useLanguage().formats;
  const [fields, setFields] = useState(before);
  const [refusals, setRefusals] = useState(0);
  const isChecked = refusals > 0;
  const form = useRef<HTMLFormElement>(null);
  // The form is longer than a phone: what is wrong may be out of sight of the button.
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);
  const faults = faultsOf(fields, before, Date.now());
  const change = (part: Partial<KeyFields>) => setFields((known) => ({ ...known, ...part }));
  const send = (event: FormEvent) => {
    event.preventDefault();
    const isBound = !faults.expiry && !faults.tooManyAddresses && faults.address === undefined;
    if (!faults.name && isBound && (fields.kind !== "pub" || isGood(fields.browser))) onSubmit(fields);
    else setRefusals((count) => count + 1);
  };
  const wrongAddresses = faults.tooManyAddresses
    ? b.addressesMany(number(MOST_ADDRESSES))
    : faults.address === undefined
      ? undefined
      : b.addressesWrong(faults.address);
  return (
    <form ref={form} noValidate onSubmit={send}>
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
        {isNew ? <KindChooser kind={fields.kind} onChange={(kind) => change({ kind })} /> : null}
        {fields.kind === "pub" ? (
          <BrowserInputs
            fields={fields.browser}
            onChange={(part) => change({ browser: { ...fields.browser, ...part } })}
            isChecked={isChecked}
          />
        ) : null}
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

interface KindProps {
  readonly kind: KeyKind;
  readonly onChange: (kind: KeyKind) => void;
}

function KindChooser({ kind, onChange }: KindProps) {
  const t = useTexts(browserTexts);
  const choose = (value: string) => onChange(KEY_KINDS.find((known) => known === value) ?? "live");
  return (
    <Radio.Group label={t.kind} value={kind} onChange={choose}>
      <Stack gap="sm" mt="xs">
        {KEY_KINDS.map((known) => (
          <Radio key={known} value={known} label={t.kinds[known]} description={t.kindsAbout[known]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function isGood(fields: BrowserFields): boolean {
  const { noOrigin, tooManyOrigins, origin, dailyTokens } = browserFaultsOf(fields);
  return !noOrigin && !tooManyOrigins && origin === undefined && !dailyTokens;
}
