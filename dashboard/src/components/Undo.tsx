import { Button, Group, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSecondsUntil } from "../connection/useSecondsUntil.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { Notice } from "./Notice.tsx";

const texts = bilingual({ undo: ["Undo", "Ongedaan maken"] });

const UNDO_WITHIN_MS = 10_000;

interface Props {
  readonly message: string;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
  /** Called when it can no longer be undone. */
  readonly onOver: () => void;
}

/** Reports a change, and offers to undo it for ten seconds. */
export function Undo({ message, isBusy, onUndo, onOver }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [endsMs] = useState(() => Date.now() + UNDO_WITHIN_MS);
  const seconds = useSecondsUntil(endsMs);
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  return (
    <Notice tone="good">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 16rem" className="breaks">
          {message}
        </Text>
        <Button size="xs" variant="default" loading={isBusy} onClick={onUndo}>
          {/* One child: the label is a flex box, which drops spaces between children. */}
          <span>
            {t.undo} <span aria-hidden="true">({number(seconds)})</span>
          </span>
        </Button>
      </Group>
    </Notice>
  );
}
