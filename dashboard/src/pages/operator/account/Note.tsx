import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import type { AdminAccount } from "../../../../../src/contract/oneAccountResources.ts";
import { setNote } from "../../../api/operator.ts";
import { MutedText } from "../../../components/MutedText.ts";
import { Problem } from "../../../components/Problem.tsx";
import { Section } from "../../../components/Section.tsx";
import { Undo } from "../../../components/Undo.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { texts } from "./texts.ts";

const MAX_CHARACTERS = 4_000;

interface Props {
  readonly account: AdminAccount;
  readonly onChanged: (account: AdminAccount) => void;
}

/** The operators' note about an account. Saving fails when someone else has changed it meanwhile. */
export function Note({ account: { id, note }, onChanged }: Props) {
  const t = useTexts(texts);
  const { number, moment } = useLanguage().formats;
  const [base, setBase] = useState(note);
  const [draft, setDraft] = useState(note.text);
  const [before, setBefore] = useState<string>();
  // A draft survives an update of the note; saving it is refused if it is based on an older version.
  if (draft === base.text && note.version > base.version) {
    setBase(note);
    setDraft(note.text);
  }
  const saving = useMutation(async (text: string, undone?: string) => {
    const saved = await setNote(id, text, base.version);
    setBase(saved.note);
    setDraft(saved.note.text);
    setBefore(undone);
    onChanged(saved);
  });
  const isTooLong = draft.length > MAX_CHARACTERS;
  const isOther = saving.failure?.code === "INVALID_REQUEST";
  return (
    <Section title={t.note} about={t.noteAbout}>
      <Stack gap="md">
        <Problem failure={saving.failure} text={isOther ? t.noteOther : undefined} />
        {before === undefined ? null : (
          <Undo
            key={base.version}
            message={t.noteKept}
            isBusy={saving.isBusy}
            onUndo={() => saving.run(before)}
            onOver={() => setBefore(undefined)}
          />
        )}
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
            loading={saving.isBusy}
            onClick={() => saving.run(draft, base.text)}
          >
            {t.save}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
