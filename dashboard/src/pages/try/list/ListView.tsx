import { Button, Loader, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Arrival } from "../../../components/Arrival.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useTexts } from "../../../language/language.tsx";
import { usePerson } from "../../../session/session.tsx";
import { useTokenMeter } from "../tokenMeter.tsx";
import "./list.css";
import { listClientOf, reopenList } from "./listClient.ts";
import { PlanStep } from "./PlanStep.tsx";
import { RunStep } from "./RunStep.tsx";
import { TakeStep } from "./TakeStep.tsx";
import { texts } from "./texts.ts";

/** A list of companies, from the reader's file to the same file with columns added. */
export function ListView() {
  const t = useTexts(texts);
  const { accountId } = usePerson();
  const [client, setClient] = useState(() => listClientOf(accountId));
  const state = useSyncExternalStore(client.subscribe, client.state);
  const run = state.step === "begun" ? state.run : undefined;
  useSpent(run?.spent, run?.remaining);
  switch (state.step) {
    case "opening":
      return <Waiting text={t.take.opening} />;
    case "reading":
      // It takes the focus of the button that is gone, and passes it on to the heading of the next step.
      return (
        <Arrival>
          <Waiting text={t.take.reading(state.name)} />
        </Arrival>
      );
    case "elsewhere":
      return <Notice tone="info">{t.take.elsewhere}</Notice>;
    case "lost":
      return (
        <Notice tone="warning">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{t.take.lost}</Text>
            <Button size="xs" variant="default" onClick={() => setClient(reopenList(accountId))}>
              {t.take.reopen}
            </Button>
          </Stack>
        </Notice>
      );
    case "empty":
      return <TakeStep client={client} refused={state.refused} />;
    case "planned":
      return <PlanStep client={client} plan={state.plan} />;
    case "begun":
      return <RunStep client={client} plan={state.plan} run={state.run} />;
  }
}

function Waiting({ text }: { readonly text: string }) {
  return (
    <Stack align="center" gap="sm" py={64} role="status">
      <Loader size="sm" aria-hidden="true" />
      <Text c="dimmed">{text}</Text>
    </Stack>
  );
}

/** Counts on the page what the list has cost since it was shown. */
function useSpent(spent: number | undefined, remaining: number | undefined): void {
  const { add } = useTokenMeter();
  const counted = useRef(spent);
  useEffect(() => {
    const before = counted.current;
    counted.current = spent;
    // A list that is opened, or begun anew, has cost nothing since.
    if (spent === undefined || before === undefined || spent <= before) return;
    add({ charged: spent - before, remaining });
  }, [spent, remaining, add]);
}
