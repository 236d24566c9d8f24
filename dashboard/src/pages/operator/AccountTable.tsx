import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AdminAccounts } from "../../../../src/contract/operatorResources.ts";
import { givePlan, resume, suspend } from "../../api/operator.ts";
import { CardTable } from "../../components/CardTable.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Undo } from "../../components/Undo.tsx";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/planName.ts";
import { useMutation } from "../../queries/useMutation.ts";
import { linkTo } from "../../router/router.ts";
import { usePerson } from "../../session/session.tsx";
import { useWaitingRequests } from "../../session/waitingRequests.tsx";
import { AskSuspend } from "./AskSuspend.tsx";
import { GivePlan, type PlanChange, PlanSelect } from "./GivePlan.tsx";
import { texts } from "./texts.ts";

type Account = AdminAccounts["results"][number];

interface Props {
  readonly accounts: readonly Account[];
  readonly tiers: readonly string[];
  readonly onChanged: () => void;
}

/** Accounts with what an operator may do to each: give another plan, suspend, resume. */
export function AccountTable({ accounts, tiers, onChanged }: Props) {
  const t = useTexts(texts);
  const own = usePerson().accountId;
  const waiting = useWaitingRequests();
  const [asking, setAsking] = useState<Account>();
  const [planned, setPlanned] = useState<PlanChange>();
  const [given, setGiven] = useState<PlanChange>();
  const changing = useMutation(async (change: () => Promise<void>) => {
    await change();
    setAsking(undefined);
    onChanged();
    waiting?.reload();
  });
  const { number } = useLanguage().formats;
  const { columns } = t;
  return (
    <Stack gap="md">
      <Problem failure={changing.failure} />
      {given === undefined ? null : (
        <Undo
          key={`${given.account.id} ${given.to}`}
          says={t.planGiven(given.account.email, planName(given.to))}
          isBusy={changing.isBusy}
          onUndo={() =>
            changing.run(async () => {
              await givePlan(given.account.id, given.account.tier);
              setGiven(undefined);
            })
          }
          onOver={() => setGiven(undefined)}
        />
      )}
      <CardTable
        spacing="md"
        rows={accounts}
        nameOf={({ id, email }) => ({ key: id, testId: `account-${email}` })}
        columns={[
          { title: columns.account, cell: (account) => <Name of={account} />, speaksForItself: true },
          {
            title: columns.plan,
            cell: (account) => (
              <PlanSelect
                label={t.planOf(account.email)}
                tier={account.tier}
                tiers={tiers}
                onChosen={(to) => setPlanned({ account, to })}
              />
            ),
          },
          {
            title: columns.used,
            cell: ({ used, limit }) => t.usedOf(number(used), number(limit)),
            isNumber: true,
          },
          { title: columns.keys, cell: ({ liveKeys }) => number(liveKeys), isNumber: true },
          {
            title: columns.actions,
            cell: (account) => (
              <Suspension
                of={account}
                isOwn={account.id === own}
                onSuspend={() => setAsking(account)}
                onResume={() => changing.run(() => resume(account.id))}
              />
            ),
            speaksForItself: true,
            hasHiddenTitle: true,
          },
        ]}
      />
      <GivePlan
        change={planned}
        isBusy={changing.isBusy}
        onClose={() => setPlanned(undefined)}
        onGive={(change) =>
          changing.run(async () => {
            await givePlan(change.account.id, change.to);
            setPlanned(undefined);
            setGiven(change);
          })
        }
      />
      <AskSuspend
        email={asking?.email}
        isBusy={changing.isBusy}
        onClose={() => setAsking(undefined)}
        onSuspend={() => asking && changing.run(() => suspend(asking.id))}
      />
    </Stack>
  );
}

function Name({ of: { id, email, createdAt, isAdmin, isSuspended, suspendedAt } }: { readonly of: Account }) {
  const t = useTexts(texts);
  const { day } = useLanguage().formats;
  return (
    <Stack gap={2} align="flex-start">
      <Anchor href={linkTo("operator", "account", id)} size="sm" fw={600} className="breaks">
        {email}
      </Anchor>
      <Text size="xs" c="dimmed">
        {t.accountSince(day(createdAt))}
      </Text>
      <Group gap={6}>
        {isAdmin ? (
          <Badge variant="light" tt="none" className="badge live">
            {t.operator}
          </Badge>
        ) : null}
        {isSuspended ? (
          <Badge variant="light" color="red" tt="none" className="badge down">
            {suspendedAt === undefined ? t.suspended : t.suspendedSince(day(suspendedAt))}
          </Badge>
        ) : null}
      </Group>
    </Stack>
  );
}

interface SuspensionProps {
  readonly of: Account;
  /** Nobody suspends themselves: whoever did could not undo it here. */
  readonly isOwn: boolean;
  readonly onSuspend: () => void;
  readonly onResume: () => void;
}

function Suspension({ of: { email, isSuspended }, isOwn, onSuspend, onResume }: SuspensionProps) {
  const t = useTexts(texts);
  if (isOwn && !isSuspended) {
    return (
      <Text size="xs" c="dimmed" ta="end">
        {t.own}
      </Text>
    );
  }
  return (
    <Group justify="flex-end">
      {isSuspended ? (
        <Button size="xs" variant="default" aria-label={`${t.resume}: ${email}`} onClick={onResume}>
          {t.resume}
        </Button>
      ) : (
        <Button
          size="xs"
          variant="default"
          className="danger"
          aria-label={`${t.suspend}: ${email}`}
          onClick={onSuspend}
        >
          {t.suspend}
        </Button>
      )}
    </Group>
  );
}
