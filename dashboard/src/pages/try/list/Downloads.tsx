import { Button, Group, Stack } from "@mantine/core";
import { Icon } from "../../../components/Icon.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import type { ListClient } from "./listClient.ts";
import type { FileFormat } from "./protocol.ts";
import { texts } from "./texts.ts";

const GIVEN_AFTER_MS = 60_000;

/** The reader's file with its columns, as far as the list is. */
export function Downloads({ client, isDone }: { readonly client: ListClient; readonly isDone: boolean }) {
  const t = useTexts(texts).run;
  const { language } = useLanguage();
  const saving = useMutation(async (format: FileFormat) => {
    const { name, content } = await client.ask("save", { format, language, separator: separatorHere() });
    give(name, content);
  });
  return (
    <Stack gap="sm">
      <Group>
        {(["xlsx", "csv"] as const).map((format) => (
          <Button
            key={format}
            variant={format === "csv" ? "default" : isDone ? "filled" : "light"}
            leftSection={<Icon name="download" size={18} />}
            disabled={saving.isBusy}
            onClick={() => saving.run(format)}
          >
            {saving.isBusy ? t.saving : t[format]}
          </Button>
        ))}
      </Group>
      {saving.failure === undefined ? null : <Notice tone="bad">{t.savingFailed}</Notice>}
    </Stack>
  );
}

/** Where the browser's language writes a decimal comma, its spreadsheets part cells by a semicolon. */
function separatorHere(): "," | ";" {
  const parts = new Intl.NumberFormat(navigator.language).formatToParts(1.5);
  return parts.some(({ type, value }) => type === "decimal" && value === ",") ? ";" : ",";
}

/** Gives the reader a file that was made here. */
function give(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read it only after the click.
  setTimeout(() => URL.revokeObjectURL(address), GIVEN_AFTER_MS);
}
