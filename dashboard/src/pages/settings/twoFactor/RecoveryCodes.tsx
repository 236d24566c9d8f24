import { Button, Group, Text } from "@mantine/core";
import { Copyable } from "../../../components/Copyable.tsx";
import { Dialog } from "../../../components/Dialog.tsx";
import { useTexts } from "../../../language/language.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly codes: readonly string[] | undefined;
  readonly onClose: () => void;
}

/** Shows recovery codes this once. A stray click does not close it. */
export function RecoveryCodes({ codes = [], onClose }: Props) {
  const t = useTexts(texts);
  const text = codes.join("\n");
  const download = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
    link.download = t.fileName;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Dialog title={t.codesTitle} isOpen={codes.length > 0} onClose={onClose} isFirm>
      <Text>{t.codesAbout}</Text>
      <Copyable label={t.codes} text={text} />
      <Group justify="flex-end">
        <Button variant="default" onClick={download}>
          {t.download}
        </Button>
        <Button onClick={onClose}>{t.saved}</Button>
      </Group>
    </Dialog>
  );
}
