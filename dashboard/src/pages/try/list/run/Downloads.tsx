import { Button, Group, Stack } from "@mantine/core";
import { Icon } from "../../../../components/Icon.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { saveFile } from "../../../../components/saveFile.ts";
import { separatorOf } from "../../../../language/csv.ts";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { useMutation } from "../../../../queries/useMutation.ts";
import type { CompanyList } from "../job/companyList.ts";
import { texts } from "../texts.ts";

interface Props {
  readonly list: CompanyList;
  readonly isDone: boolean;
}

/** Downloads the customer's file with the results so far. */
export function Downloads({ list, isDone }: Props) {
  const t = useTexts(texts).run;
  const { language } = useLanguage();
  const saving = useMutation(async (format: "xlsx" | "csv") => {
    const { name, content } = await list.save(format, language, separatorOf(language));
    saveFile(content, name);
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
      {saving.failure === undefined ? null : <Notice tone="error">{t.savingFailed}</Notice>}
    </Stack>
  );
}
