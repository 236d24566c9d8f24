import { Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../../components/Dialog.tsx";
import { Facts } from "../../../components/Facts.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useMutation } from "../../../queries/useMutation.ts";
import type { CompanyList } from "./job/companyList.ts";
import type { Run } from "./job/listRun.ts";
import type { Source } from "./job/source.ts";
import { Rows } from "./Rows.tsx";
import { resultTexts } from "./resultTexts.ts";
import { texts } from "./texts.ts";

interface Props {
  readonly list: CompanyList;
  readonly source: Source;
  readonly run: Run;
}

const OFFERED_MS = 60_000;

/** The last step: the progress of a started list, its rows and its result. */
export function RunStep({ list, source, run }: Props) {
  const { run: t, plan } = useTexts(texts);
  const { outcomes } = useTexts(resultTexts);
  const { number } = useLanguage().formats;
  const { phase, isKept, done, found, notFound, noAnswer, spent } = run;
  const total = source.numbers.distinct.length;
  return (
    <Stack gap="lg" data-testid="run" data-phase={phase}>
      <Title order={2} tabIndex={-1} className="heading breaks">
        {source.name}
      </Title>
      <Stack gap="xs">
        <Progress.Root size="lg" radius="xl">
          <Progress.Section
            color="sea.5"
            value={total === 0 ? 100 : (100 * done) / total}
            aria-label={t.progress}
          />
        </Progress.Root>
        <Text size="sm" c="dimmed" data-testid="progress">
          {t.done(number(done), number(total))}
        </Text>
      </Stack>
      <RunNotice run={run} />
      <Actions list={list} run={run} hasSheets={source.table.sheets.length > 1} />
      <Facts
        facts={[
          [outcomes.found, number(found)],
          [outcomes.notFound, number(notFound)],
          [outcomes.noAnswer, noAnswer === 0 ? undefined : number(noAnswer)],
          [t.spent, number(spent)],
        ]}
      />
      <Downloads list={list} isDone={phase === "done"} />
      <Text size="sm" c="dimmed">
        {phase === "running" && isKept ? `${t.closes} ` : null}
        {isKept ? plan.keeps : t.notKept}
      </Text>
      <Rows answers={list.answers} rows={source.numbers.rows} />
    </Stack>
  );
}

/** Explains why the list waits or has stopped, or that it is done. */
function RunNotice({ run: { phase, isSlow, stopped, noAnswer, waitsUntil } }: Pick<Props, "run">) {
  const { run: t } = useTexts(texts);
  const { day } = useLanguage().formats;
  if (phase === "done" && noAnswer > 0) return <Notice tone="warning">{t.finishedWithout}</Notice>;
  if (phase === "done") return <Notice tone="good">{t.finished}</Notice>;
  if (isSlow) return <Notice tone="info">{t.slow}</Notice>;
  if (phase !== "stopped" || stopped === undefined) return null;
  const until = stopped === "allowance" && waitsUntil !== undefined ? ` ${t.until(day(waitsUntil))}` : "";
  return <Notice tone={stopped === "caller" ? "info" : "warning"}>{t.stopped[stopped] + until}</Notice>;
}

function Actions({ list, run, hasSheets }: Omit<Props, "source"> & { readonly hasSheets: boolean }) {
  const { run: t, numbersOf } = useTexts(texts);
  const { number } = useLanguage().formats;
  const [confirming, setConfirming] = useState<"discard" | "sheet">();
  const { phase, noAnswer } = run;
  const hasStopped = phase === "stopped" || phase === "done";
  const close = () => setConfirming(undefined);
  const isSheet = confirming === "sheet";
  // One button both pauses and continues, so that it keeps the focus.
  const press = () => {
    if (phase === "running") list.pause();
    if (phase === "stopped") list.resume();
  };
  return (
    <Group>
      {phase === "done" ? null : (
        <Button
          variant={phase === "stopped" ? "filled" : "default"}
          aria-disabled={phase === "stopping" || undefined}
          onClick={press}
        >
          {t.pause[phase]}
        </Button>
      )}
      {phase === "done" && noAnswer > 0 ? (
        <Button onClick={() => list.resume(true)}>{t.again(numbersOf(noAnswer, number(noAnswer)))}</Button>
      ) : null}
      {hasStopped && hasSheets ? (
        <Button variant="default" onClick={() => setConfirming("sheet")}>
          {t.sheet}
        </Button>
      ) : null}
      {hasStopped ? (
        <Button variant="default" onClick={() => setConfirming("discard")}>
          {t.discard}
        </Button>
      ) : null}
      <Dialog title={isSheet ? t.sheetAsk : t.discardAsk} isOpen={confirming !== undefined} onClose={close}>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.discardNo}
          </Button>
          <Button
            color="red.9"
            onClick={() => {
              list.discard(isSheet);
              close();
            }}
          >
            {isSheet ? t.sheet : t.discardYes}
          </Button>
        </Group>
      </Dialog>
    </Group>
  );
}

/** Downloads the customer's file with the results so far. */
function Downloads({ list, isDone }: Pick<Props, "list"> & { readonly isDone: boolean }) {
  const t = useTexts(texts).run;
  const { language } = useLanguage();
  const saving = useMutation(async (format: "xlsx" | "csv") => {
    const { name, content } = await list.save(format, language, separatorHere());
    const link = Object.assign(document.createElement("a"), {
      href: URL.createObjectURL(content),
      download: name,
    });
    link.click();
    // Some browsers read the URL only after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), OFFERED_MS);
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

/** In languages with a decimal comma, spreadsheets separate cells by a semicolon. */
function separatorHere(): "," | ";" {
  return (1.5).toLocaleString(navigator.language).includes(",") ? ";" : ",";
}
