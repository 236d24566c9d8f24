import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { CHANGE_TYPES, type Monitor } from "../../../../src/contract/monitors.ts";
import type { MonitorFields } from "../../api/monitors.ts";
import { Form } from "../../forms/Form.tsx";
import { useTexts } from "../../language/language.tsx";
import { useMutation } from "../../queries/useMutation.ts";
import { changeTexts } from "./changeTexts.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly of: Monitor;
  readonly onClose: () => void;
  /** Rejects with a failure. */
  readonly onSave: (fields: MonitorFields) => Promise<void>;
}

/** Changes the events that a monitor reports, and its webhook. */
export function EditMonitor({ of: { events, webhook }, onClose, onSave }: Props) {
  const t = useTexts(texts);
  const { types } = useTexts(changeTexts);
  const [chosen, setChosen] = useState<readonly string[]>(events ?? CHANGE_TYPES);
  const [url, setUrl] = useState(webhook?.url ?? "");
  const isAll = chosen.length === CHANGE_TYPES.length;
  const saving = useMutation(() =>
    onSave({
      events: isAll ? null : CHANGE_TYPES.filter((type) => chosen.includes(type)),
      webhook: url === "" ? null : url,
    }),
  );
  return (
    <Form
      sending={saving}
      isComplete={chosen.length > 0}
      failureTexts={{ NOT_FOUND: t.gone, INVALID_REQUEST: t.webhookRefused }}
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
              {CHANGE_TYPES.map((type) => (
                <Checkbox key={type} value={type} label={types[type]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <WebhookField value={url} onChange={setUrl} />
        </>
      )}
    </Form>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (url: string) => void;
}

export function WebhookField({ value, onChange }: FieldProps) {
  const t = useTexts(texts);
  return (
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
  );
}
