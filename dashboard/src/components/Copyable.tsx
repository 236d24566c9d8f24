import { Button, Group, Stack, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useId } from "react";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";
import { Icon } from "./Icon.tsx";

const texts = bilingual({
  copy: ["Copy", "Kopiëren"],
  copied: ["Copied", "Gekopieerd"],
  byHand: ["Select the text to copy it", "Selecteer de tekst om die te kopiëren"],
});

interface Props {
  readonly label: string;
  readonly text: string;
}

/** A text with a button that copies it. */
export function Copyable({ label, text }: Props) {
  const t = useTexts(texts);
  const id = useId();
  const clipboard = useClipboard({ timeout: 2_000 });
  const buttonText = clipboard.error ? t.byHand : clipboard.copied ? t.copied : t.copy;
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} id={id}>
          {label}
        </Text>
        <Button
          size="xs"
          variant="light"
          leftSection={<Icon name={clipboard.copied ? "check" : "copy"} size={16} />}
          onClick={() => clipboard.copy(text)}
          aria-describedby={id}
        >
          <span aria-live="polite">{buttonText}</span>
        </Button>
      </Group>
      <section aria-labelledby={id}>
        <pre className="code" data-wrapped>
          {text}
        </pre>
      </section>
    </Stack>
  );
}
