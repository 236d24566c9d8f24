import { Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { Facts } from "../../../../components/Facts.tsx";
import { Notice } from "../../../../components/Notice.tsx";
import { Searched } from "../../../../components/Searched.tsx";
import { useLanguage, useTexts } from "../../../../language/language.tsx";
import { linkTo, useSubject } from "../../../../router/router.ts";
import { companyIn, matchedIn, outcomeOf } from "../job/answers.ts";
import type { CompanyList } from "../job/companyList.ts";
import type { Run } from "../job/listRun.ts";
import type { Source } from "../job/source.ts";
import { matchTexts } from "../matchTexts.ts";
import { resultTexts } from "../resultTexts.ts";
import { texts } from "../texts.ts";
import { Actions } from "./Actions.tsx";
import { Downloads } from "./Downloads.tsx";
import { MonitorCompanies } from "./MonitorCompanies.tsx";
import { ResultRows } from "./Rows.tsx";
import { SettleView } from "./SettleView.tsx";

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
  readonly run: Run;
}

/** The last step: the progress of a started list, its rows and its result. */
export function RunStep({ list, source, run }: Props) {
  const { plan, run: t } = useTexts(texts);
  const { rowsOf, run: match } = useTexts(matchTexts);
  const { number } = useLanguage().formats;
  const settling = useSubject();
  const { phase, isKept, isLast, done, ambiguous } = run;
  const { rows, keys } = source.items;
  if (settling !== undefined && list.answers.has(settling)) {
    // Replaced, so that going back from the list does not lead here again.
    const back = () => location.replace(linkTo("try", "list"));
    return <SettleView key={settling} list={list} source={source} run={run} first={settling} onBack={back} />;
  }
  const settle = (key = "") => {
    location.hash = linkTo("try", "list", key);
  };
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
      <RunNotice run={run} />
      <Actions list={list} run={run} hasSheets={source.table.sheets.length > 1} />
      <Counts run={run} items={source.items} />
      {run.none + run.notFound === 0 ? null : <Searched />}
      <Group>
        {ambiguous === 0 ? null : (
          <Button onClick={() => settle(firstOpen())}>
            {match.settle(rowsOf(ambiguous, number(ambiguous)))}
          </Button>
        )}
        <Downloads list={list} isDone={phase === "done" && ambiguous === 0} />
        {phase === "done" ? <MonitorCompanies numbers={foundIn(list)} /> : null}
      </Group>
      <Text size="sm" c="dimmed">
        {phase === "running" && isKept && isLast ? `${t.closes} ` : null}
        {isKept ? plan.keeps : t.notKept}
      </Text>
      <ResultRows rows={rows} answers={list.answers} choices={list.choices} onSettle={settle} />
    </Stack>
  );
}

/** The KVK numbers of the companies that were found or chosen, each once. */
function foundIn({ answers, choices }: CompanyList): readonly string[] {
  const found = Array.from(answers, ([key, answer]) => {
    const choice = choices.get(key);
    return (choice === undefined && companyIn(answer)) || matchedIn(answer, choice);
  });
  return [...new Set(found.flatMap((company) => company?.kvkNumber ?? []))];
}

function Counts({ run, items }: Pick<Props, "run"> & Pick<Source, "items">) {
  const { run: t } = useTexts(texts);
  const { outcomes } = useTexts(resultTexts);
  const { number } = useLanguage().formats;
  const { plan } = useTexts(matchTexts);
  const { found, checked, notFound, noAnswer, matched, ambiguous, none, chosen, spent } = run;
  const shown = (count: number) => (count === 0 ? undefined : number(count));
  return (
    <Facts
      facts={[
        ...(items.numbers === 0
          ? []
          : ([
              [checked === 0 ? outcomes.found : outcomes.checked, number(found + checked)],
              [outcomes.notFound, checked === 0 ? number(notFound) : shown(notFound)],
            ] as const)),
        ...(items.keys.length === items.numbers
          ? []
          : ([
              [outcomes.matched, number(matched)],
              [outcomes.ambiguous, number(ambiguous)],
              [outcomes.none, number(none)],
            ] as const)),
        [outcomes.chosen, shown(chosen)],
        [outcomes.noAnswer, shown(noAnswer)],
        [plan.skipped, shown(items.skipped)],
        [t.spent, number(spent)],
      ]}
    />
  );
}

/** Explains why the list waits or has stopped, or that it is done. */
function RunNotice({ run }: Pick<Props, "run">) {
  const { run: t } = useTexts(texts);
  const { rowsOf, run: match } = useTexts(matchTexts);
  const { day, number } = useLanguage().formats;
  const { phase, isSlow, stopped, noAnswer, ambiguous, waitsUntil } = run;
  if (phase === "done" && noAnswer > 0) return <Notice tone="warning">{t.finishedWithout}</Notice>;
  if (phase === "done" && ambiguous > 0)
    return <Notice tone="info">{match.finishedToCheck(rowsOf(ambiguous, number(ambiguous)))}</Notice>;
  if (phase === "done") return <Notice tone="good">{t.finished}</Notice>;
  if (isSlow) return <Notice tone="info">{t.slow}</Notice>;
  if (phase !== "stopped" || stopped === undefined) return null;
  const until = stopped === "allowance" && waitsUntil !== undefined ? ` ${t.until(day(waitsUntil))}` : "";
  return <Notice tone={stopped === "caller" ? "info" : "warning"}>{t.stopped[stopped] + until}</Notice>;
}
