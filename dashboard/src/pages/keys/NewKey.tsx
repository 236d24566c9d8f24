import { Button, Group, Text } from "@mantine/core";
import { Copyable } from "../../components/Copyable.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import type { ShownKey } from "../../session/session.tsx";
import { elementHtml, elementTexts } from "../../snippets/elementHtml.ts";
import { browserTexts } from "./browserTexts.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly made: ShownKey | undefined;
  readonly onClose: () => void;
}

/** Shows a key this once, and a key for browsers in HTML that is ready to paste. A stray click does not close it. */
export function NewKey({ made, onClose }: Props) {
  const t = useTexts(texts);
  const b = useTexts(browserTexts);
  const { language, formats } = useLanguage();
  const { moment } = formats;
  const ended = made?.replaces && new Date(made.replaces.endsAt).getTime() <= Date.parse(made.createdAt);
  return (
    <Dialog title={t.newTitle} isOpen={made !== undefined} onClose={onClose} isFirm>
      <Text>{made?.kind === "pub" ? b.newAbout : t.newAbout}</Text>
      <Copyable label={t.key} text={made?.key ?? ""} />
      {made?.kind === "pub" ? (
        <Copyable
          label={b.html}
          text={elementHtml(elementTexts[language], language, made.key, made.mayLookUp)}
        />
      ) : null}
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
