import { Button, Group, Stack, Text } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { FocusedTitle } from "../../../../components/FocusedResult.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { type Choice, matchIn } from "../job/answers.ts";
import type { CompanyList } from "../job/companyList.ts";
import type { Run } from "../job/listRun.ts";
import type { Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { Candidates } from "./Candidates.tsx";
import { useSettling } from "./useSettling.ts";

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
  readonly run: Run;
  /** The key of the row to begin with. */
  readonly first: string;
  readonly onBack: () => void;
}

/** Lets a person choose the company of each ambiguous row, by keyboard or mouse. */
export function SettleView({ list, source, run, first, onBack }: Props) {
  const { settle: t, rowsOf } = useTexts(matchTexts);
  const { number } = useLanguage().formats;
  const settling = useSettling(list, source, first);
  // A row that was decided before is changed on its own.
  const [isChange] = useState(
    () => list.choices.has(first) || matchIn(list.answers.get(first))?.decision !== "ambiguous",
  );
  const { row, canUndo, move, undo } = settling;
  const settle = (choice: Choice) => {
    settling.settle(choice);
    if (isChange) onBack();
  };
  const candidates = matchIn(list.answers.get(row?.key ?? ""))?.candidates ?? [];
  const onKey = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    const candidate = candidates[Number(key) - 1];
    if (canUndo && (isChord ? key === "z" && !event.altKey : key === "u")) undo();
    else if (isChord) return;
    else if (candidate !== undefined) settle(candidate.kvkNumber);
    else if (row !== undefined && (key === "0" || key === "n")) settle(null);
    else if (key === "j" && !isChange) move(1);
    else if (key === "k" && !isChange) move(-1);
    else if (key === "escape") onBack();
    else return;
    event.preventDefault();
  };
  return (
    <Stack gap="md" component="section" aria-label={t.title} data-testid="settle" onKeyDown={onKey}>
      <Group justify="space-between">
        <FocusedTitle>{t.title}</FocusedTitle>
        <Text size="sm" c="dimmed" role="status" data-testid="left">
          {t.left(rowsOf(run.ambiguous, number(run.ambiguous)))}
        </Text>
      </Group>
      {row === undefined ? (
        <Notice tone="good">{t.allDone}</Notice>
      ) : (
        <Candidates
          key={row.key}
          source={source}
          row={row}
          candidates={candidates}
          choice={settling.choice}
          settle={settle}
        />
      )}
      <Group gap="xs">
        {row === undefined || isChange ? null : (
          <>
            <Button variant="default" onClick={() => move(-1)} rightSection={<kbd>K</kbd>}>
              {t.previous}
            </Button>
            <Button variant="default" onClick={() => move(1)} rightSection={<kbd>J</kbd>}>
              {t.next}
            </Button>
          </>
        )}
        {isChange ? null : (
          <Button variant="default" disabled={!canUndo} onClick={undo} rightSection={<kbd>U</kbd>}>
            {t.undo}
          </Button>
        )}
        <Button variant={row === undefined ? "filled" : "subtle"} onClick={onBack}>
          {t.back}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" className="keys-hint">
        {t.keys}
      </Text>
    </Stack>
  );
}
