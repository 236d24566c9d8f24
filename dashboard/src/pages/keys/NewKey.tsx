import { Button, Group, Text } from "@mantine/core";
import type { NewAccountKey } from "../../../../src/contract/keyResources.ts";
import { Copyable } from "../../components/Copyable.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly made: NewAccountKey | undefined;
  readonly onClose: () => void;
}

/** Shows a key this once. A stray click does not close it. */
export function NewKey({ made, onClose }: Props) {
  const t = useTexts(texts);
  const { moment } = useLanguage().formats;
  const ended = made?.replaces && new Date(made.replaces.endsAt).getTime() <= Date.parse(made.createdAt);
  return (
    <Dialog title={t.newTitle} isOpen={made !== undefined} onClose={onClose} isFirm>
      <Text>{t.newAbout}</Text>
      <Copyable label={t.key} text={made?.key ?? ""} />
      {made?.replaces === undefined ? null : (
        <Text size="sm" c="dimmed">
          {ended ? t.oldEnded : t.oldEnds(moment(made.replaces.endsAt))}
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t.done}</Button>
      </Group>
    </Dialog>
  );
}
