import { Button, FileButton, Group, Text } from "@mantine/core";
import { type DragEvent, useState } from "react";
import { Icon } from "../../../components/Icon.tsx";
import { useTexts } from "../../../language/language.tsx";
import { texts } from "./texts.ts";

const MOST_BYTES = 5_000_000;

/** Takes the text of a file that is dropped or chosen. */
export function DropFile({ onText }: { readonly onText: (text: string) => void }) {
  const t = useTexts(texts);
  const [isOver, setOver] = useState(false);
  const [isTooLarge, setTooLarge] = useState(false);
  const read = async (file: File | null | undefined) => {
    if (file === null || file === undefined) return;
    setTooLarge(file.size > MOST_BYTES);
    if (file.size <= MOST_BYTES) onText(await file.text());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    <fieldset
      className="dropzone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      aria-label={t.drop}
    >
      <Group gap="sm" justify="center" p="md">
        <Icon name="upload" />
        <Text size="sm" c="dimmed">
          {t.drop}
        </Text>
        <FileButton onChange={read} accept=".csv,.txt,.tsv,text/csv,text/plain">
          {(props) => (
            <Button {...props} size="xs" variant="default">
              {t.choose}
            </Button>
          )}
        </FileButton>
      </Group>
      {isTooLarge ? (
        <Text size="sm" c="var(--mantine-color-error)" ta="center" pb="md" role="alert">
          {t.tooLarge}
        </Text>
      ) : null}
    </fieldset>
  );
}
