import { Button, FileButton, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { type ClipboardEvent, type DragEvent, useState } from "react";
import { Icon } from "../../../components/Icon.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useTexts } from "../../../language/language.tsx";
import type { CompanyList, ListState } from "./job/companyList.ts";
import { texts } from "./texts.ts";

const ACCEPTED = ".csv,.tsv,.txt,.xlsx,.xlsm,text/csv,text/plain";

interface Props {
  readonly list: CompanyList;
  readonly refused: Extract<ListState, { step: "empty" }>["refused"];
}

/** The first step: takes a dropped, chosen or pasted file, or a text. */
export function TakeStep({ list, refused }: Props) {
  const t = useTexts(texts);
  const [text, setText] = useState(list.draft);
  const read = (name: string, content: Blob | string) => {
    void list.read(name, content);
  };
  const readFile = (file: File | null | undefined) => {
    if (file !== null && file !== undefined) read(file.name, file);
  };
  const paste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    const pasted = event.clipboardData.getData("text/plain");
    // A spreadsheet also copies a picture of its cells, so text comes first.
    if (pasted === "" && file === undefined) return;
    event.preventDefault();
    if (pasted === "") readFile(file);
    else read(t.take.pasted, text === "" ? pasted : `${text}\n${pasted}`);
  };
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Title order={2} tabIndex={-1} className="heading breaks">
          {t.take.title}
        </Title>
        <Text c="dimmed" maw="68ch">
          {t.take.about}
        </Text>
      </Stack>
      {refused === undefined ? null : (
        <Notice tone="error" title={refused.name}>
          {t.refused[refused.reason]}
        </Notice>
      )}
      <Drop onFile={readFile} />
      <Textarea
        label={t.take.paste}
        description={t.take.pasteAbout}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          list.draft = value;
        }}
        onPaste={paste}
        rows={5}
        spellCheck={false}
        classNames={{ input: "list" }}
      />
      <Group>
        <Button disabled={text.trim() === ""} onClick={() => read(t.take.pasted, text)}>
          {t.take.read}
        </Button>
      </Group>
    </Stack>
  );
}

function Drop({ onFile }: { readonly onFile: (file: File | null | undefined) => void }) {
  const t = useTexts(texts);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
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
      aria-label={t.take.drop}
    >
      <Stack gap="sm" align="center" p="xl">
        <Icon name="upload" size={28} />
        <Text ta="center">{t.take.drop}</Text>
        <Text size="sm" c="dimmed">
          {t.take.or}
        </Text>
        <FileButton onChange={onFile} accept={ACCEPTED}>
          {(props) => (
            <Button {...props} variant="default">
              {t.take.choose}
            </Button>
          )}
        </FileButton>
      </Stack>
    </fieldset>
  );
}
