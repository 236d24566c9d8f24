import { Button, Group, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Failure } from "../api/failure.ts";
import { useSecondsUntil } from "../connection/useSecondsUntil.ts";
import { bilingual } from "../language/bilingual.ts";
import { useLanguage, useTexts } from "../language/language.tsx";
import { useMutation } from "../queries/useMutation.ts";
import { Notice } from "./Notice.tsx";
import { Problem } from "./Problem.tsx";

const texts = bilingual({ undo: ["Undo", "Ongedaan maken"] });

const UNDO_WITHIN_MS = 10_000;

/** A change, and how to undo it. */
interface Undoable {
  readonly message: string;
  readonly undo: () => Promise<unknown>;
}

/**
 * Makes changes that can be undone for ten seconds. The caller renders `messages`: the latest change, or why it failed.
 * @param textOf replaces the usual text of a failure
 */
export function useUndoable(textOf?: (failure: Failure) => string | undefined) {
  const [done, setDone] = useState<Undoable & { readonly endsMs: number }>();
  /** Makes a change, and offers to undo it. @throws {Failure} */
  const apply = async (change: () => Promise<unknown>, undoable?: Undoable) => {
    await change();
    setDone(undoable && { ...undoable, endsMs: Date.now() + UNDO_WITHIN_MS });
  };
  const { run, isBusy, failure } = useMutation(apply);
  const messages = (
    <>
      <Problem failure={failure} text={failure && textOf?.(failure)} />
      {done && (
        <Undo
          key={done.endsMs}
          {...done}
          isBusy={isBusy}
          onUndo={() => void run(done.undo)}
          onExpire={() => setDone(undefined)}
        />
      )}
    </>
  );
  return { apply, run, isBusy, messages };
}

interface Props extends Pick<Undoable, "message"> {
  /** Until when it can be undone, Unix milliseconds. */
  readonly endsMs: number;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
  /** Called when it can no longer be undone. */
  readonly onExpire: () => void;
}

/** Reports a change, and offers to undo it. */
function Undo({ message, endsMs, isBusy, onUndo, onExpire }: Props) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const seconds = useSecondsUntil(endsMs);
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) onExpire();
  }, [isOver, onExpire]);
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
