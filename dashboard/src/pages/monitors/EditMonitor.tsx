import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { CHANGE_TYPES, type ChangeType, USUAL_CHANGE_TYPES } from "../../../../src/contract/eventTypes.ts";
import type { Monitor } from "../../../../src/contract/monitors.ts";
import type { Failure } from "../../api/failure.ts";
import { createWebhookSecret, type MonitorFields } from "../../api/monitors.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { Notice } from "../../components/Notice.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Form } from "../../forms/Form.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";
import { webhookFault } from "./webhookFault.ts";

interface Props {
  readonly monitor: Monitor;
  /** The name of a type of change; it says whether a source reports it. */
  readonly nameOf: (type: ChangeType) => string;
  readonly onClose: () => void;
  /** Rejects with a failure. */
  readonly onSave: (fields: MonitorFields) => Promise<void>;
}

/** The address that was typed last and not saved, so that it is there when the dialog opens again. */
let draft = { id: "", url: "" };

/** Changes the events that a monitor reports, and its webhook. */
export function EditMonitor({ monitor: { id, events, webhook }, nameOf, onClose, onSave }: Props) {
  const t = useTexts(texts);
  const [chosen, setChosen] = useState<readonly string[]>(events ?? USUAL_CHANGE_TYPES);
  const [url, setUrl] = useState(draft.id === id ? draft.url : (webhook?.url ?? ""));
  const hasPeppol = useSession().value?.hasPeppol === true;
  const isUsual = (type: ChangeType) => USUAL_CHANGE_TYPES.includes(type);
  const offered = CHANGE_TYPES.filter((type) => hasPeppol || isUsual(type) || events?.includes(type));
  const areUsual = CHANGE_TYPES.every((type) => isUsual(type) === chosen.includes(type));
  const saving = useMutation(async () => {
    await onSave({
      events: areUsual ? null : CHANGE_TYPES.filter((type) => chosen.includes(type)),
      webhook: url === "" ? null : url,
    });
    draft = { id: "", url: "" };
  });
  const fault = webhookFault(saving.failure);
  return (
    <Form
      sending={saving}
      isComplete={chosen.length > 0}
      failureTexts={{ NOT_FOUND: t.gone, INVALID_REQUEST: fault && t.webhookFaults[fault] }}
      button={t.save}
      onClose={onClose}
    >
      {(isChecked) => (
        <>
          <Checkbox.Group
            label={t.eventsLabel}
            value={[...chosen]}
            onChange={setChosen}
            error={isChecked && chosen.length === 0 ? t.eventsMissing : undefined}
          >
            <Stack gap="xs" mt="xs">
              {offered.map((type) => (
                <Checkbox
                  key={type}
                  value={type}
                  label={nameOf(type)}
                  description={isUsual(type) ? undefined : t.optIn}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <WebhookField
            value={url}
            onChange={(typed) => {
              setUrl(typed);
              draft = { id, url: typed };
            }}
            failure={saving.failure}
            onSecret={saving.forget}
          />
        </>
      )}
    </Form>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (url: string) => void;
  /** Why the form was refused. */
  readonly failure: Failure | undefined;
  readonly onSecret: () => void;
}

/** The address of a webhook, and a button for the secret if that is missing. */
export function WebhookField({ value, onChange, failure, onSecret }: FieldProps) {
  const t = useTexts(texts);
  const [secret, setSecret] = useState<string>();
  const creating = useMutation(async () => {
    setSecret((await createWebhookSecret()).secret);
    onSecret();
  });
  return (
    <>
      <TextInput
        type="url"
        label={t.webhookLabel}
        description={t.webhookAbout}
        placeholder="https://example.com/hooks/opzoek"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      {webhookFault(failure) !== "noSecret" ? null : (
        <Group>
          <Button variant="default" loading={creating.isBusy} onClick={() => void creating.run()}>
            {t.createSecret}
          </Button>
        </Group>
      )}
      <Problem failure={creating.failure} />
      {secret === undefined ? null : (
        <Notice tone="good">
          <Text size="sm">{t.newSecretAbout}</Text>
          <Copyable label={t.newSecret} text={secret} />
        </Notice>
      )}
    </>
  );
}
