import { Button, Group, Stack, Text } from "@mantine/core";
import type { Failure } from "../api/failure.ts";
import { useSecondsUntil } from "../connection/useSecondsUntil.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { problemOf } from "../language/problems.ts";
import { Notice } from "./Notice.tsx";
import { WithOperator } from "./operator.tsx";

const texts = bilingual({ again: ["Try again", "Opnieuw proberen"] });

interface Props {
  readonly failure: Failure | undefined;
  /** Replaces the usual text of the failure. */
  readonly text?: string | undefined;
  readonly again?: (() => void) | undefined;
}

/** Says what went wrong and what to do; nothing without a failure. */
export function Problem({ failure, text, again }: Props) {
  const { language, formats } = useLanguage();
  const t = useTexts(texts);
  const seconds = useSecondsUntil(failure?.retryAtMs);
  if (failure === undefined) return null;
  return (
    <Notice tone="error">
      <Stack gap="sm">
        <Text size="sm">
          <WithOperator text={text ?? problemOf(failure, seconds, language, formats)} />
        </Text>
        {again === undefined ? null : (
          <Group>
            <Button size="xs" variant="default" onClick={again}>
              {t.again}
            </Button>
          </Group>
        )}
      </Stack>
    </Notice>
  );
}
