import { Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Facts } from "../../../../components/Facts.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { outcomeOf } from "../job/answers.ts";
import type { CompanyList } from "../job/companyList.ts";
import type { Run } from "../job/listRun.ts";
import type { Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { resultTexts } from "../resultTexts.ts";
import { texts } from "../texts.ts";
import { Actions } from "./Actions.tsx";
import { Downloads } from "./Downloads.tsx";
import { Rows } from "./Rows.tsx";
import { SettleView } from "./SettleView.tsx";

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
  readonly run: Run;
}

/** The last step: the progress of a started list, its rows and its result. */
export function RunStep({ list, source, run }: Props) {
  const t = useRunTexts(source);
  const { plan } = useTexts(texts);
  const { rowsOf } = useTexts(matchTexts);
  const { number } = useLanguage().formats;
  const [settling, setSettling] = useState<string>();
  const { phase, isKept, done, ambiguous } = run;
  const isMatch = source.reading.kind === "match";
  const { rows, keys } = source.items;
  if (settling !== undefined) {
    const back = () => setSettling(undefined);
    return <SettleView list={list} source={source} run={run} first={settling} onBack={back} />;
  }
  const firstOpen = () =>
    keys.find((key) => outcomeOf(list.answers.get(key), list.choices.get(key)) === "ambiguous");
  return (
    <Stack gap="lg" data-testid="run" data-phase={phase}>
      <Title order={2} tabIndex={-1} className="heading breaks">
        {source.name}
      </Title>
      <Stack gap="xs">
        <Progress.Root size="lg" radius="xl">
          <Progress.Section
            color="sea.5"
            value={keys.length === 0 ? 100 : (100 * done) / keys.length}
            aria-label={t.progress}
          />
        </Progress.Root>
        <Text size="sm" c="dimmed" data-testid="progress">
          {t.done(number(done), number(keys.length))}
        </Text>
      </Stack>
      <RunNotice source={source} run={run} />
      <Actions list={list} run={run} isMatch={isMatch} hasSheets={source.table.sheets.length > 1} />
      <Counts run={run} isMatch={isMatch} />
      <Group>
        {ambiguous === 0 ? null : (
          <Button onClick={() => setSettling(firstOpen())}>
            {t.settle(rowsOf(ambiguous, number(ambiguous)))}
          </Button>
        )}
        <Downloads list={list} isDone={phase === "done" && ambiguous === 0} />
      </Group>
      <Text size="sm" c="dimmed">
        {phase === "running" && isKept ? `${t.closes} ` : null}
        {isKept ? plan.keeps : t.notKept}
      </Text>
      <Rows
        rows={rows}
        answers={list.answers}
        choices={list.choices}
        run={run}
        onSettle={isMatch ? setSettling : undefined}
      />
    </Stack>
  );
}

/** The texts for numbers or for rows. */
function useRunTexts({ reading }: Source) {
  const { run } = useTexts(texts);
  const { run: match } = useTexts(matchTexts);
  return reading.kind === "match" ? { ...run, ...match } : { ...match, ...run };
}

function Counts({ run, isMatch }: Pick<Props, "run"> & { readonly isMatch: boolean }) {
  const { run: t } = useTexts(texts);
  const { outcomes } = useTexts(resultTexts);
  const { number } = useLanguage().formats;
  const { found, notFound, noAnswer, matched, ambiguous, none, chosen, spent } = run;
  const shown = (count: number) => (count === 0 ? undefined : number(count));
  return (
    <Facts
      facts={[
        ...(isMatch
          ? ([
              [outcomes.matched, number(matched)],
              [outcomes.ambiguous, number(ambiguous)],
              [outcomes.none, number(none)],
              [outcomes.chosen, shown(chosen)],
            ] as const)
          : ([
              [outcomes.found, number(found)],
              [outcomes.notFound, number(notFound)],
            ] as const)),
        [outcomes.noAnswer, shown(noAnswer)],
        [t.spent, number(spent)],
      ]}
    />
  );
}

/** Explains why the list waits or has stopped, or that it is done. */
function RunNotice({ source, run }: Omit<Props, "list">) {
  const t = useRunTexts(source);
  const { rowsOf } = useTexts(matchTexts);
  const { day, number } = useLanguage().formats;
  const { phase, isSlow, stopped, noAnswer, ambiguous, waitsUntil } = run;
  if (phase === "done" && noAnswer > 0) return <Notice tone="warning">{t.finishedWithout}</Notice>;
  if (phase === "done" && ambiguous > 0)
    return <Notice tone="info">{t.finishedToCheck(rowsOf(ambiguous, number(ambiguous)))}</Notice>;
  if (phase === "done") return <Notice tone="good">{t.finished}</Notice>;
  if (isSlow) return <Notice tone="info">{t.slow}</Notice>;
  if (phase !== "stopped" || stopped === undefined) return null;
  const until = stopped === "allowance" && waitsUntil !== undefined ? ` ${t.until(day(waitsUntil))}` : "";
  return <Notice tone={stopped === "caller" ? "info" : "warning"}>{t.stopped[stopped] + until}</Notice>;
}
