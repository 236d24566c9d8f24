import { Button, Loader, Stack, Text } from "@mantine/core";
import { memo, useDeferredValue, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { FocusedResult } from "../../../components/FocusedResult.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useTexts } from "../../../language/language.tsx";
import { usePerson } from "../../../session/session.tsx";
import { useTokenMeter } from "../tokenMeter.tsx";
import { CompanyList, type ListState } from "./job/companyList.ts";
import { currentList, setCurrentList } from "./job/openList.ts";
import "./list.css";
import { PlanStep } from "./plan/PlanStep.tsx";
import { RunStep } from "./run/RunStep.tsx";
import { TakeStep } from "./TakeStep.tsx";
import { texts } from "./texts.ts";

/** Completes a list: from the customer's file to the same file with added columns. */
export function ListView() {
  const { accountId } = usePerson();
  const [list] = useState(() => listOf(accountId));
  const latest = useSyncExternalStore(list.subscribe, list.state);
  // Deferred rendering is interruptible, so that results do not block the page. The steps before have inputs, which
  // must follow at once.
  const deferred = useDeferredValue(latest);
  const state = latest.step === "begun" ? deferred : latest;
  const run = state.step === "begun" ? state.run : undefined;
  useSpent(run?.spent);
  return <Step list={list} state={state} />;
}

/** Returns the open list of an account, or opens the one stored in the browser. */
function listOf(accountId: string): CompanyList {
  const current = currentList();
  if (current?.accountId === accountId) {
    const state = current.state();
    // The account was signed out and has signed in again.
    if (state.step === "begun" && state.run.stopped === "session") current.resume();
    return current;
  }
  const list = new CompanyList(accountId);
  setCurrentList(list);
  void list.open();
  return list;
}

interface StepProps {
  readonly list: CompanyList;
  readonly state: ListState;
}

/** The current step. It is rendered only for a new state, not when the deferred one is still to come. */
const Step = memo(({ list, state }: StepProps) => {
  const t = useTexts(texts).take;
  switch (state.step) {
    case "opening":
      return <PageSkeleton text={t.opening} />;
    case "reading":
      // It takes the focus from the removed button, and passes it on to the heading of the next step.
      return (
        <FocusedResult>
          <PageSkeleton text={t.reading(state.name)} />
        </FocusedResult>
      );
    case "elsewhere":
      return <Notice tone="info">{t.elsewhere}</Notice>;
    case "unread":
      return (
        <Notice tone="warning">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{t.unread}</Text>
            <Button size="xs" variant="default" onClick={() => void list.load()}>
              {t.again}
            </Button>
          </Stack>
        </Notice>
      );
    case "empty":
      return <TakeStep list={list} refused={state.refused} />;
    case "planned":
      return <PlanStep list={list} source={state.source} />;
    case "begun":
      return <RunStep list={list} source={state.source} run={state.run} />;
  }
});

function PageSkeleton({ text }: { readonly text: string }) {
  return (
    <Stack align="center" gap="sm" py={64} role="status">
      <Loader size="sm" aria-hidden="true" />
      <Text c="dimmed">{text}</Text>
    </Stack>
  );
}

/** Adds the tokens spent by the list while it is shown to those spent on the page. */
function useSpent(spent: number | undefined): void {
  const { add } = useTokenMeter();
  const counted = useRef(spent);
  useEffect(() => {
    const before = counted.current;
    counted.current = spent;
    // Tokens spent before the list was opened do not count.
    if (spent === undefined || before === undefined || spent <= before) return;
    // The remaining tokens in the list's responses exclude tokens that the list has reserved.
    add({ charged: spent - before, remaining: undefined });
  }, [spent, add]);
}
