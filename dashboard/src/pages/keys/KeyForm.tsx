import { Checkbox, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { KEY_KINDS } from "../../../../src/contract/keyKinds.ts";
import { Form, type FormProps } from "../../forms/Form.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import type { Mutation } from "../../queries/useMutation.ts";
import { faultsOf, type KeyFields, MAX_ADDRESSES, MAX_DAILY_TOKENS, MAX_ORIGINS } from "./keyFields.ts";
import { texts } from "./texts.ts";

interface Props extends Pick<FormProps, "failureTexts" | "button" | "onClose"> {
  /** The initial values. */
  readonly before: KeyFields;
  /** The kind can be chosen for a new key only. */
  readonly isNew?: boolean;
  readonly sending: Mutation<[KeyFields]>;
}

const LIST = { autosize: true, minRows: 2, maxRows: 6, spellCheck: false } as const;

/** The fields of a key, each with its own error message. */
export function KeyForm({ before, isNew = false, sending, ...form }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [fields, setFields] = useState(before);
  const faults = faultsOf(fields, before, Date.now());
  const change = (part: Partial<KeyFields>) => setFields((known) => ({ ...known, ...part }));
  const wrongAddresses = faults.tooManyAddresses
    ? t.addressesMany(number(MAX_ADDRESSES))
    : faults.address && t.addressesWrong(faults.address);
  const wrongOrigins = faults.noOrigin
    ? t.originsMissing
    : faults.tooManyOrigins
      ? t.originsMany(number(MAX_ORIGINS))
      : faults.origin && t.originsWrong(faults.origin);
  return (
    <Form
      sending={{ ...sending, run: () => sending.run(fields) }}
      isComplete={Object.values(faults).every((fault) => fault === false || fault === undefined)}
      {...form}
    >
      {(isChecked) => (
        <>
          <TextInput
            label={t.name}
            description={t.nameAbout}
            value={fields.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={isChecked && faults.name ? t.nameMissing : undefined}
            autoComplete="off"
            data-autofocus
          />
          {isNew ? (
            <Radio.Group
              label={t.kindLabel}
              value={fields.kind}
              onChange={(kind) => change({ kind: KEY_KINDS.find((known) => known === kind) ?? "live" })}
            >
              <Stack gap="sm" mt="xs">
                {KEY_KINDS.map((kind) => (
                  <Radio
                    key={kind}
                    value={kind}
                    label={t.kindChoices[kind]}
                    description={t.kindsAbout[kind]}
                  />
                ))}
              </Stack>
            </Radio.Group>
          ) : null}
          {fields.kind === "pub" ? (
            <>
              <Textarea
                label={t.origins}
                description={t.originsAbout}
                value={fields.origins}
                onChange={(event) => change({ origins: event.currentTarget.value })}
                error={isChecked ? wrongOrigins : undefined}
                {...LIST}
              />
              <TextInput
                label={t.dailyTokens}
                description={t.dailyTokensAbout}
                value={fields.dailyTokens}
                onChange={(event) => change({ dailyTokens: event.currentTarget.value.trim() })}
                error={
                  isChecked && faults.dailyTokens ? t.dailyTokensWrong(number(MAX_DAILY_TOKENS)) : undefined
                }
                inputMode="numeric"
                autoComplete="off"
              />
              <Checkbox
                label={t.mayLookUp}
                description={t.mayLookUpAbout}
                checked={fields.mayLookUp}
                onChange={(event) => change({ mayLookUp: event.currentTarget.checked })}
              />
            </>
          ) : null}
          <TextInput
            type="date"
            label={t.expiry}
            description={t.expiryAbout}
            value={fields.expiry}
            onChange={(event) => change({ expiry: event.currentTarget.value })}
            error={isChecked && faults.expiry ? t.expiryWrong : undefined}
          />
          <Textarea
            label={t.addresses}
            description={t.addressesAbout}
            value={fields.addresses}
            onChange={(event) => change({ addresses: event.currentTarget.value })}
            error={isChecked ? wrongAddresses : undefined}
            {...LIST}
          />
        </>
      )}
    </Form>
  );
}
