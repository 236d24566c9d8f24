import { Button, NativeSelect } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { AdminAccounts } from "../../../../src/contract/operatorResources.ts";
import { readPlans } from "../../api/account.ts";
import { givePlan, resume, suspend } from "../../api/operator.ts";
import { useUndoable } from "../../components/undoable.tsx";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { useTexts } from "../../language/language.tsx";
import { planName } from "../../language/names.ts";
import { useQuery } from "../../queries/useQuery.ts";
import { usePendingRequests } from "../../session/pendingRequests.tsx";
import { texts } from "./texts.ts";

type Account = Pick<AdminAccounts["results"][number], "id" | "email" | "tier" | "isSuspended">;

interface PendingChange {
  readonly account: Account;
  /** The new plan; undefined for a suspension. */
  readonly plan?: string;
}

/**
 * Lets an operator change the plan or suspension of an account. Each change must be confirmed, because a stray key
 * press can change the list of plans, and can be undone. The caller renders `messages` and `dialog`.
 */
export function useAccountChanges(onChanged: () => void) {
  const t = useTexts(texts);
  const waiting = usePendingRequests();
  const tiers = useQuery(readPlans).value?.tiers.map(({ name }) => name) ?? [];
  // Kept while the dialog closes, so that its content stays.
  const [{ account, plan }, setPending] = useState<PendingChange>({ account: NO_ACCOUNT });
  const [isOpen, { open, close }] = useDisclosure();
  const { apply, run, messages } = useUndoable();
  const thenReload = (change: Promise<void>) =>
    change.then(() => {
      close();
      onChanged();
      waiting?.reload();
    });
  const ask = (next: PendingChange) => {
    setPending(next);
    open();
  };
  const { id, email, tier } = account;
  const [from, to] = [planName(tier), planName(plan ?? "")];
  const question =
    plan === undefined
      ? {
          title: t.suspendTitle(email),
          about: t.suspendAbout,
          button: t.suspend,
          isDangerous: true,
          act: () =>
            apply(() => thenReload(suspend(id)), {
              message: t.isSuspendedNow(email),
              undo: () => thenReload(resume(id)),
            }),
        }
      : {
          title: t.planTitle(email, to),
          about: t.planAbout(from, to),
          button: t.grant(to),
          act: () =>
            apply(() => thenReload(givePlan(id, plan)), {
              message: t.planGiven(email, to),
              undo: () => thenReload(givePlan(id, tier)),
            }),
        };
  return {
    tiers,
    messages,
    dialog: <ConfirmDialog isOpen={isOpen} onClose={close} {...question} />,
    planSelect: (of: Account) => (
      <NativeSelect
        size="xs"
        className="plan-select"
        aria-label={t.planOf(of.email)}
        value={of.tier}
        // The account may have a plan that is no longer offered.
        data={[...new Set([...(tiers.includes(of.tier) ? [] : [of.tier]), ...tiers])].map((name) => ({
          value: name,
          label: planName(name),
        }))}
        onChange={(event) => ask({ account: of, plan: event.currentTarget.value })}
      />
    ),
    suspendButton: (of: Account) => {
      const label = of.isSuspended ? t.resume : t.suspend;
      const next = { message: t.resumed(of.email), undo: () => thenReload(suspend(of.id)) };
      return (
        <Button
          size="xs"
          variant="default"
          {...(!of.isSuspended && { className: "danger" })}
          aria-label={`${label}: ${of.email}`}
          onClick={() =>
            of.isSuspended ? void run(() => thenReload(resume(of.id)), next) : ask({ account: of })
          }
        >
          {label}
        </Button>
      );
    },
  };
}

const NO_ACCOUNT: Account = { id: "", email: "", tier: "", isSuspended: false };
