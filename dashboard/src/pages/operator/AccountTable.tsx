import { Badge, Button, Group, NativeSelect, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { AdminAccounts } from "../../../../src/contract/operatorResources.ts";
import { givePlan, resume, suspend } from "../../api/operator.ts";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { planName } from "../../language/planName.ts";
import { useAction } from "../../load/useAction.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { Problem } from "../../parts/Problem.tsx";
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
  const [asking, setAsking] = useState<Account>();
  const changing = useAction(async (change: () => Promise<void>) => {
    await change();
    setAsking(undefined);
    onChanged();
  });
  const { columns } = t;
  return (
    <Stack gap="md">
      <Problem failure={changing.failure} />
      <Table className="cards" verticalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columns.account}</Table.Th>
            <Table.Th scope="col">{columns.plan}</Table.Th>
            <Table.Th scope="col" className="number">
              {columns.used}
            </Table.Th>
            <Table.Th scope="col" className="number">
              {columns.keys}
            </Table.Th>
            <Table.Th scope="col">
              <VisuallyHidden>{columns.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map((account) => (
            <Row
              key={account.id}
              account={account}
              tiers={tiers}
              onPlan={(tier) => changing.run(() => givePlan(account.id, tier))}
              onSuspend={() => setAsking(account)}
              onResume={() => changing.run(() => resume(account.id))}
            />
          ))}
        </Table.Tbody>
      </Table>
      <Dialog
        title={t.suspendTitle(asking?.email ?? "")}
        isOpen={asking !== undefined}
        onClose={() => setAsking(undefined)}
      >
        <Text>{t.suspendAbout}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setAsking(undefined)} data-autofocus>
            {t.cancel}
          </Button>
          <Button
            color="red.9"
            loading={changing.isBusy}
            onClick={() => asking && changing.run(() => suspend(asking.id))}
          >
            {t.suspend}
          </Button>
        </Group>
      </Dialog>
    </Stack>
  );
}

interface RowProps {
  readonly account: Account;
  readonly tiers: readonly string[];
  readonly onPlan: (tier: string) => void;
  readonly onSuspend: () => void;
  readonly onResume: () => void;
}

function Row({ account, tiers, onPlan, onSuspend, onResume }: RowProps) {
  const t = useTexts(texts);
  const { number, day } = useLanguage().formats;
  const { email, tier, isSuspended, suspendedAt, isAdmin, createdAt, used, limit, liveKeys } = account;
  // A plan that is no longer in the table is still what the account has.
  const choices = tiers.includes(tier) ? tiers : [tier, ...tiers];
  return (
    <Table.Tr data-testid={`account-${email}`}>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          <Text size="sm" fw={600} className="breaks">
            {email}
          </Text>
          <Text size="xs" c="dimmed">
            {day(createdAt)}
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
      </Table.Td>
      <Table.Td data-label={t.columns.plan}>
        <NativeSelect
          size="xs"
          aria-label={t.planOf(email)}
          value={tier}
          data={choices.map((name) => ({ value: name, label: planName(name) }))}
          onChange={(event) => onPlan(event.currentTarget.value)}
        />
      </Table.Td>
      <Table.Td data-label={t.columns.used} className="number">
        {t.usedOf(number(used), number(limit))}
      </Table.Td>
      <Table.Td data-label={t.columns.keys} className="number">
        {number(liveKeys)}
      </Table.Td>
      <Table.Td>
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
      </Table.Td>
    </Table.Tr>
  );
}
