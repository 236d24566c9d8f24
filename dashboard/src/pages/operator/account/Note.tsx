import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import type { AdminAccount } from "../../../../../src/contract/oneAccountResources.ts";
import { setNote } from "../../../api/operator.ts";
import { Problem } from "../../../components/Problem.tsx";
import { Quiet } from "../../../components/Quiet.ts";
import { Section } from "../../../components/Section.tsx";
import { Undo } from "../../../components/Undo.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import { texts } from "./texts.ts";

const MAX_NOTED = 4_000;

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
  const keeping = useMutation(async (text: string, undone?: string) => {
    const kept = await setNote(id, text, base.version);
    setBase(kept.note);
    setDraft(kept.note.text);
    setBefore(undone);
    onChanged(kept);
  });
  const isTooLong = draft.length > MAX_NOTED;
  const isOther = keeping.failure?.code === "INVALID_REQUEST";
  return (
    <Section title={t.note} about={t.noteAbout}>
      <Stack gap="md">
        <Problem failure={keeping.failure} says={isOther ? t.noteOther : undefined} />
        {before === undefined ? null : (
          <Undo
            key={base.version}
            says={t.noteKept}
            isBusy={keeping.isBusy}
            onUndo={() => keeping.run(before)}
            onOver={() => setBefore(undefined)}
          />
        )}
        <Textarea
          label={t.noteText}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          error={isTooLong ? t.noteTooLong(number(MAX_NOTED)) : undefined}
          autosize
          minRows={3}
          maxRows={16}
        />
        <Group justify="space-between" gap="sm">
          <Quiet className="breaks" flex="1 1 12rem">
            {base.changedAt === undefined || base.changedBy === undefined
              ? t.noNote
              : t.noteBy(base.changedBy, moment(base.changedAt))}
          </Quiet>
          <Button
            disabled={draft === base.text || isTooLong}
            loading={keeping.isBusy}
            onClick={() => keeping.run(draft, base.text)}
          >
            {t.save}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
