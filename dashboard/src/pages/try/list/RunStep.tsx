import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../../components/Dialog.tsx";
import { Facts } from "../../../components/Facts.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { Downloads } from "./Downloads.tsx";
import type { ListClient } from "./listClient.ts";
import type { Plan, Run } from "./protocol.ts";
import { Rows } from "./Rows.tsx";
import { StepTitle } from "./StepTitle.tsx";
import { texts } from "./texts.ts";

interface Props {
  readonly client: ListClient;
  readonly plan: Plan;
  readonly run: Run;
}

/** A list that has begun: how far it is, what holds it up, its rows and its result. */
export function RunStep({ client, plan, run }: Props) {
  const t = useTexts(texts).run;
  const { number } = useLanguage().formats;
  const { done, found, notFound, noAnswer, spent } = run;
  const total = plan.numbers;
  return (
    <Stack gap="lg" data-testid="run" data-phase={run.phase}>
      <StepTitle>{plan.name}</StepTitle>
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
      <Standing run={run} />
      <Actions client={client} run={run} sheets={plan.sheets.length} />
      <Facts
        facts={[
          [t.found, number(found)],
          [t.notFound, number(notFound)],
          [t.noAnswer, noAnswer === 0 ? undefined : number(noAnswer)],
          [t.spent, number(spent)],
        ]}
      />
      <Downloads client={client} isDone={run.phase === "done"} />
      <Rows client={client} total={plan.rows} />
      <Text size="sm" c="dimmed">
        {run.phase === "running" && run.isKept ? `${run.isInParts ? t.parts : t.closes} ` : null}
        {run.isKept ? t.kept : t.notKept}
      </Text>
    </Stack>
  );
}

/** What the reader should know now: why it waits, why it stopped, or that it is done. */
function Standing({ run: { phase, isAway, isSlow, stopped, noAnswer, goesOnUntil } }: { readonly run: Run }) {
  const { run: t } = useTexts(texts);
  const { day } = useLanguage().formats;
  if (isAway) return <Notice tone="warning">{t.away}</Notice>;
  if (phase === "done") {
    return noAnswer === 0 ? (
      <Notice tone="good">{t.finished}</Notice>
    ) : (
      <Notice tone="warning">{t.finishedWithout}</Notice>
    );
  }
  if (isSlow) return <Notice tone="info">{t.slow}</Notice>;
  if (phase !== "stopped" || stopped === undefined) return null;
  const until = stopped === "allowance" && goesOnUntil !== undefined ? ` ${t.until(day(goesOnUntil))}` : "";
  return <Notice tone={stopped === "caller" ? "info" : "warning"}>{t.stopped[stopped] + until}</Notice>;
}

function Actions({ client, run, sheets }: Pick<Props, "client" | "run"> & { readonly sheets: number }) {
  const { run: t, plan } = useTexts(texts);
  const { number } = useLanguage().formats;
  const [asking, setAsking] = useState<"discard" | "sheet">();
  const { phase, noAnswer } = run;
  const close = () => setAsking(undefined);
  const isSheet = asking === "sheet";
  return (
    <Group>
      {phase === "done" ? null : <PauseButton client={client} phase={phase} />}
      {phase === "done" && noAnswer > 0 ? (
        <Button onClick={() => client.send("resume", { again: true })}>
          {t.again(noAnswer === 1 ? plan.oneNumber : plan.manyNumbers(number(noAnswer)))}
        </Button>
      ) : null}
      {phase === "stopped" || phase === "done" ? (
        <>
          {sheets < 2 ? null : (
            <Button variant="default" onClick={() => setAsking("sheet")}>
              {t.sheet}
            </Button>
          )}
          <Button variant="default" onClick={() => setAsking("discard")}>
            {t.discard}
          </Button>
        </>
      ) : null}
      <Dialog title={isSheet ? t.sheetAsk : t.discardAsk} isOpen={asking !== undefined} onClose={close}>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.discardNo}
          </Button>
          <Button
            color="red.9"
            onClick={() => {
              client.send("discard", { keepsFile: isSheet });
              close();
            }}
          >
            {isSheet ? t.sheetYes : t.discardYes}
          </Button>
        </Group>
      </Dialog>
    </Group>
  );
}

interface PauseProps {
  readonly client: ListClient;
  readonly phase: Run["phase"];
}

/** One button that pauses and continues, so that it keeps the focus. */
function PauseButton({ client, phase }: PauseProps) {
  const t = useTexts(texts).run;
  const says = { running: t.stop, stopping: t.stopping, stopped: t.resume, done: t.resume }[phase];
  const press = () => {
    if (phase === "running") client.send("pause", undefined);
    if (phase === "stopped") client.send("resume", { again: false });
  };
  return (
    <Button
      variant={phase === "stopped" ? "filled" : "default"}
      aria-disabled={phase === "stopping" || undefined}
      onClick={press}
    >
      {says}
    </Button>
  );
}
