import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import type { AdminAccount } from "../../../../../src/contract/oneAccountResources.ts";
import { setNote } from "../../../api/operator.ts";
import { MutedText } from "../../../components/MutedText.ts";
import { Section } from "../../../components/Section.tsx";
import { useUndoable } from "../../../components/undoable.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { texts } from "./texts.ts";

const MAX_CHARACTERS = 4_000;

interface Props {
  readonly account: AdminAccount;
  readonly onChanged: (account: AdminAccount) => void;
}

/** The operators' note about an account. Saving fails when someone else has changed it in the meantime. */
export function Note({ account: { id, note }, onChanged }: Props) {
  const t = useTexts(texts);
  const { number, moment } = useLanguage().formats;
  const [base, setBase] = useState(note);
  const [draft, setDraft] = useState(note.text);
  // A draft survives an update of the note; saving it is refused if it is based on an older version.
  if (draft === base.text && note.version > base.version) {
    setBase(note);
    setDraft(note.text);
  }
  const { run, isBusy, messages } = useUndoable(({ code }) =>
    code === "INVALID_REQUEST" ? t.noteOther : undefined,
  );
  const save = async (text: string, basedOn: number) => {
    const saved = await setNote(id, text, basedOn);
    setBase(saved.note);
    setDraft(saved.note.text);
    onChanged(saved);
  };
  const isTooLong = draft.length > MAX_CHARACTERS;
  return (
    <Section title={t.note} about={t.noteAbout}>
      <Stack gap="md">
        {messages}
        <Textarea
          label={t.noteText}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          error={isTooLong ? t.noteTooLong(number(MAX_CHARACTERS)) : undefined}
          autosize
          minRows={3}
          maxRows={16}
        />
        <Group justify="space-between" gap="sm">
          <MutedText className="breaks" flex="1 1 12rem">
            {base.changedAt === undefined || base.changedBy === undefined
              ? t.noNote
              : t.noteBy(base.changedBy, moment(base.changedAt))}
          </MutedText>
          <Button
            disabled={draft === base.text || isTooLong}
            loading={isBusy}
            onClick={() => {
              const undo = () => save(base.text, base.version + 1);
              void run(() => save(draft, base.version), { message: t.noteKept, undo });
            }}
          >
            {t.save}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
