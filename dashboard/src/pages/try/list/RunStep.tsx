import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { readPlans } from "../../../api/account.ts";
import { Dialog } from "../../../components/Dialog.tsx";
import { Facts } from "../../../components/Facts.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { WithOperator } from "../../../components/operator.tsx";
import { useSecondsUntil } from "../../../connection/useSecondsUntil.ts";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { useQuery } from "../../../queries/useQuery.ts";
import { Downloads } from "./Downloads.tsx";
import type { ListClient } from "./listClient.ts";
import { pricesIn } from "./Price.tsx";
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
        {run.isKept ? t.kept : t.notKept}
      </Text>
    </Stack>
  );
}

/** What the reader should know now: why it waits, why it stopped, or that it is done. */
function Standing({ run: { phase, pause, stopped, noAnswer, mayRepeat } }: { readonly run: Run }) {
  const { run: t, plan } = useTexts(texts);
  const { duration, number } = useLanguage().formats;
  const seconds = Math.max(1, useSecondsUntil(pause?.untilMs));
  if (pause !== undefined && phase === "running") {
    const left = duration(seconds);
    // The words are said once; who listens is not told each second anew.
    return (
      <Notice tone="info" isTicking>
        <span data-testid="pause">{pause.why === "rate" ? t.rate(left) : t.outage(left)}</span>
      </Notice>
    );
  }
  if (phase === "done") {
    return noAnswer === 0 ? (
      <Notice tone="good">{t.finished}</Notice>
    ) : (
      <Notice tone="warning">{t.finishedWithout}</Notice>
    );
  }
  if (phase !== "stopped" || stopped === undefined) return null;
  const isPlain = stopped === "asked" || stopped === "reload";
  return (
    <Notice tone={isPlain ? "info" : "warning"}>
      <Stack gap="xs">
        <Text size="sm">
          <WithOperator text={t.stopped[stopped]} />
        </Text>
        {mayRepeat === 0 ? null : (
          <Text size="sm">
            {t.mayRepeat(mayRepeat === 1 ? plan.oneNumber : plan.manyNumbers(number(mayRepeat)))}
          </Text>
        )}
      </Stack>
    </Notice>
  );
}

function Actions({ client, run, sheets }: Pick<Props, "client" | "run"> & { readonly sheets: number }) {
  const { run: t, plan } = useTexts(texts);
  const { number } = useLanguage().formats;
  const { now } = useQuery(readPlans);
  const [asking, setAsking] = useState<"discard" | "replan">();
  const { phase, noAnswer, isEverything } = run;
  const prices = now.state === "ready" ? pricesIn(now.value.prices) : undefined;
  const price = isEverything ? prices?.everything : prices?.basic;
  const resume = (again: boolean) => {
    if (price !== undefined) client.ask("resume", { price, again }).catch(() => undefined);
  };
  const close = () => setAsking(undefined);
  const discard = () => {
    if (asking !== undefined) client.ask(asking, undefined).catch(() => undefined);
    close();
  };
  const isSheet = asking === "replan";
  return (
    <Group>
      {phase === "done" ? null : <PauseButton client={client} phase={phase} onResume={() => resume(false)} />}
      {phase === "done" && noAnswer > 0 ? (
        <Button disabled={price === undefined} onClick={() => resume(true)}>
          {t.again(noAnswer === 1 ? plan.oneNumber : plan.manyNumbers(number(noAnswer)))}
        </Button>
      ) : null}
      {phase === "stopped" || phase === "done" ? (
        <>
          {sheets < 2 ? null : (
            <Button variant="default" onClick={() => setAsking("replan")}>
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
          <Button color="red.9" onClick={discard}>
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
  readonly onResume: () => void;
}

/** One button that pauses and goes on, so that it keeps the focus. */
function PauseButton({ client, phase, onResume }: PauseProps) {
  const t = useTexts(texts).run;
  const says = { running: t.stop, stopping: t.stopping, stopped: t.resume, done: t.resume }[phase];
  const press = () => {
    if (phase === "running") client.ask("stop", undefined).catch(() => undefined);
    if (phase === "stopped") onResume();
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
