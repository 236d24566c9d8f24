import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { bilingual } from "../language/bilingual.ts";
import { useTexts } from "../language/language.tsx";

const texts = bilingual({ previous: ["Previous", "Vorige"], next: ["Next", "Volgende"] });

/** The position in a list that is paged by cursor. */
interface Cursors {
  /** The cursor of this page; empty for the first. */
  readonly cursor: string;
  readonly isFirst: boolean;
  readonly forward: (cursor: string) => void;
  readonly back: () => void;
  readonly reset: () => void;
}

export function useCursors(): Cursors {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1) ?? "",
    isFirst: cursors.length === 0,
    forward: (cursor) => setCursors([...cursors, cursor]),
    back: () => setCursors(cursors.slice(0, -1)),
    reset: () => setCursors([]),
  };
}

interface Props {
  readonly label: string;
  readonly of: Cursors;
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** The buttons of a list that has more than one page. */
export function CursorPages({ label, of: { isFirst, forward, back }, next }: Props) {
  const t = useTexts(texts);
  if (isFirst && next === undefined) return null;
  return (
    <nav aria-label={label}>
      <Group gap="sm">
        <Button variant="default" size="xs" disabled={isFirst} onClick={back}>
          {t.previous}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={next === undefined}
          onClick={() => next !== undefined && forward(next)}
        >
          {t.next}
        </Button>
      </Group>
    </nav>
  );
}
