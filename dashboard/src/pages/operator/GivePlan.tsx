import { Button, Group, NativeSelect, Text } from "@mantine/core";
import type { AdminAccounts } from "../../../../src/contract/operatorResources.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { useTexts } from "../../language/language.tsx";
import { planName } from "../../language/planName.ts";
import { texts } from "./texts.ts";

type Account = Pick<AdminAccounts["results"][number], "id" | "email" | "tier">;

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

interface PlanSelectProps {
  readonly label: string;
  readonly tier: string;
  readonly tiers: readonly string[];
  readonly onChosen: (tier: string) => void;
}

/** The plan of an account, to choose another. */
export function PlanSelect({ label, tier, tiers, onChosen }: PlanSelectProps) {
  // A plan that is no longer in the table is still what the account has.
  const choices = tiers.includes(tier) ? tiers : [tier, ...tiers];
  return (
    <NativeSelect
      size="xs"
      className="plan-select"
      aria-label={label}
      value={tier}
      data={choices.map((name) => ({ value: name, label: planName(name) }))}
      onChange={(event) => onChosen(event.currentTarget.value)}
    />
  );
}
