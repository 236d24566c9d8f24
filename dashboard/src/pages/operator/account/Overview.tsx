import { Group, Stack } from "@mantine/core";
import type { AdminAccount } from "../../../../../src/contract/oneAccountResources.ts";
import { Facts } from "../../../components/Facts.tsx";
import { Section } from "../../../components/Section.tsx";
import { planName } from "../../../language/names.ts";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { usePerson } from "../../../session/session.tsx";
import { useAccountChanges } from "../accountChanges.tsx";
import { texts as shared } from "../texts.ts";
import { texts } from "./texts.ts";
import { WaysIn } from "./WaysIn.tsx";

interface Props {
  readonly account: AdminAccount;
  readonly onChanged: () => void;
}

/** The facts of an account, and what an operator may change of it. */
export function Overview({ account, onChanged }: Props) {
  const t = useTexts(texts);
  const isOwn = usePerson().accountId === account.id;
  const changes = useAccountChanges(onChanged);
  return (
    <Section title={t.overview}>
      <Stack gap="lg">
        {changes.messages}
        <AccountFacts account={account} />
        <Group gap="sm" className="account-actions">
          {changes.planSelect(account)}
          {isOwn && !account.isSuspended ? null : changes.suspendButton(account)}
          <WaysIn account={account} onChanged={onChanged} />
        </Group>
      </Stack>
      {changes.dialog}
    </Section>
  );
}

function AccountFacts({ account }: Pick<Props, "account">) {
  const t = useTexts(texts);
  const s = useTexts(shared);
  const { number, day, moment } = useLanguage().formats;
  const { tier, isSuspended, suspendedAt, isAdmin, createdAt, used, limit, asked, twoFactor } = account;
  const { isOn, since, recoveryCodesLeft = 0 } = twoFactor;
  const suspension = suspendedAt === undefined ? t.yes : t.since(moment(suspendedAt));
  return (
    <Facts
      facts={[
        [t.facts.created, moment(createdAt)],
        [t.facts.plan, planName(tier)],
        [t.facts.asked, asked && t.askedSince(planName(asked.tier), day(asked.askedAt))],
        [t.facts.used, s.usedOf(number(used), number(limit))],
        [t.facts.suspension, isSuspended ? suspension : t.no],
        [t.facts.operator, isAdmin ? t.yes : t.no],
        [t.facts.password, account.hasPassword ? t.yes : t.noPassword],
        [
          t.facts.twoFactor,
          isOn
            ? t.twoFactorOn(since === undefined ? "" : day(since), number(recoveryCodesLeft))
            : t.twoFactorOff,
        ],
      ]}
    />
  );
}
