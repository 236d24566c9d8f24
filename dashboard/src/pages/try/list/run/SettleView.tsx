import { Button, Group, Stack, Text } from "@mantine/core";
import { Fragment, type KeyboardEvent, useState } from "react";
import { MATCH_BOUNDS, type SentMatchQuery } from "../../../../../../src/contract/matchResources.ts";
import { PRICES } from "../../../../../../src/contract/prices.ts";
import { bodyOf, matchQueries } from "../../../../api/publicApi.ts";
import { FocusedTitle } from "../../../../components/FocusedResult.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { useMutation } from "../../../../queries/useMutation.ts";
import { CallProblem } from "../../CallProblem.tsx";
import { useTokenMeter, useTokens } from "../../tokenMeter.tsx";
import { type Candidate, type Choice, matchIn, slim } from "../job/answers.ts";
import type { CompanyList } from "../job/companyList.ts";
import { linesToSend } from "../job/files.ts";
import type { Run } from "../job/listRun.ts";
import type { Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { Candidates } from "./Candidates.tsx";
import { FindForRow } from "./FindForRow.tsx";
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
  const { row, isChange, canUndo, move, undo } = settling;
  const settle = (choice: Choice) => {
    settling.settle(choice);
    if (isChange) onBack();
  };
  const match = matchIn(list.answers.get(row?.key ?? ""));
  const [more, setMore] = useState<More>();
  const candidates = (more?.key === row?.key && more?.candidates) || (match?.candidates ?? []);
  const left = matchIn(list.answers.get(first))?.decision === "none" ? run.none : run.ambiguous;
  const onKey = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (event.target instanceof HTMLInputElement) return;
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    const candidate = candidates[Number(key) - 1];
    if (canUndo && (isChord ? key === "z" && !event.altKey : key === "u")) undo();
    else if (isChord) return;
    else if (candidate !== undefined) settle(candidate);
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
          {isChange ? null : t.left(rowsOf(left, number(left)))}
        </Text>
      </Group>
      {row === undefined ? (
        <Notice tone="good">{t.allDone}</Notice>
      ) : (
        <Fragment key={row.key}>
          <Candidates
            source={source}
            row={row}
            candidates={candidates}
            choice={settling.choice}
            settle={settle}
          />
          {more?.key !== row.key && candidates.length >= MATCH_BOUNDS.defaultCandidates ? (
            <MoreCandidates source={source} rowKey={row.key ?? ""} onMore={setMore} />
          ) : null}
          {more?.key === row.key && candidates.length <= MATCH_BOUNDS.defaultCandidates ? (
            <Text size="sm">{t.noMore}</Text>
          ) : null}
          <FindForRow onChoose={settle} />
        </Fragment>
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

interface More {
  readonly key: string;
  readonly candidates: readonly Candidate[];
}

interface MoreProps {
  readonly source: Source;
  readonly rowKey: string;
  readonly onMore: (more: More) => void;
}

/** Matches a row again with more candidates than a list returns. It is charged like any call. */
function MoreCandidates({ source: { bytes, table, reading }, rowKey: key, onMore }: MoreProps) {
  const { settle: t } = useTexts(matchTexts);
  const tokens = useTokens();
  const { count } = useTokenMeter();
  const matching = useMutation(async () => {
    const line = await linesToSend({ bytes, sheet: table.sheet, reading }, [key]);
    const query = JSON.parse(await line.text()) as SentMatchQuery;
    const [result] = bodyOf(count(await matchQueries([query], MATCH_BOUNDS.maxCandidates))).results;
    onMore({ key, candidates: slim({ decision: "none", candidates: result?.candidates ?? [] }).candidates });
  });
  return (
    <Group>
      <Button variant="light" loading={matching.isBusy} onClick={() => void matching.run()}>
        {`${t.more} (${tokens(PRICES.match)})`}
      </Button>
      <CallProblem failure={matching.failure} />
    </Group>
  );
}
