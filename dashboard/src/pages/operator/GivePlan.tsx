import { Button, Group, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { AdminAccounts } from "../../../../src/contract/operatorResources.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Notice } from "../../components/Notice.tsx";
import { useSecondsUntil } from "../../connection/useSecondsUntil.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/planName.ts";
import { texts } from "./texts.ts";

type Account = AdminAccounts["results"][number];

/** Another plan for an account. */
export interface PlanChange {
  /** As it was before. */
  readonly account: Account;
  readonly to: string;
}

interface GivePlanProps {
  readonly change: PlanChange | undefined;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onGive: (change: PlanChange) => void;
}

/** Asks before an account gets another plan: a key pressed on the list of plans is no decision. */
export function GivePlan({ change, isBusy, onClose, onGive }: GivePlanProps) {
  const t = useTexts(texts);
  const { account, to } = change ?? {};
  return (
    <Dialog
      title={t.planTitle(account?.email ?? "", planName(to ?? ""))}
      isOpen={change !== undefined}
      onClose={onClose}
    >
      <Text>{t.planAbout(planName(account?.tier ?? ""), planName(to ?? ""))}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t.cancel}
        </Button>
        <Button loading={isBusy} onClick={() => change && onGive(change)}>
          {t.grant(planName(to ?? ""))}
        </Button>
      </Group>
    </Dialog>
  );
}

const UNDO_WITHIN_MS = 10_000;

interface GivenProps {
  readonly change: PlanChange;
  readonly isBusy: boolean;
  readonly onUndo: () => void;
  readonly onOver: () => void;
}

/** Says which plan was given, and takes it back for ten seconds. */
export function Given({ change: { account, to }, isBusy, onUndo, onOver }: GivenProps) {
  const t = useTexts(texts);
  const { number } = useLanguage().formats;
  const [endsMs] = useState(() => Date.now() + UNDO_WITHIN_MS);
  const seconds = useSecondsUntil(endsMs);
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  return (
    <Notice tone="good">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 16rem" className="breaks">
          {t.planGiven(account.email, planName(to))}
        </Text>
        <Button size="xs" variant="default" loading={isBusy} onClick={onUndo}>
          {t.undo} <span aria-hidden="true">({number(seconds)})</span>
        </Button>
      </Group>
    </Notice>
  );
}
