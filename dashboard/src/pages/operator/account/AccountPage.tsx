import { Anchor, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { AdminAccount } from "../../../../../src/contract/oneAccountResources.ts";
import { readAccount, readCallsOf, readKeysOf } from "../../../api/operator.ts";
import { Facts } from "../../../components/Facts.tsx";
import { Loaded } from "../../../components/Loaded.tsx";
import { PageTitle } from "../../../components/PageTitle.tsx";
import { Section } from "../../../components/Section.tsx";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { planName } from "../../../language/names.ts";
import { useQuery } from "../../../queries/useQuery.ts";
import { linkTo } from "../../../router/router.ts";
import { usePerson } from "../../../session/session.tsx";
import { CallList, useCalls } from "../../calls/CallList.tsx";
import { KeyList } from "../../keys/KeyTable.tsx";
import { useAccountChanges } from "../accountChanges.tsx";
import { texts as shared } from "../texts.ts";
import { Note } from "./Note.tsx";
import { AccountSessions, SignInHelp } from "./SignInHelp.tsx";
import { texts } from "./texts.ts";
import { UsageSection } from "./UsageSection.tsx";

interface Props {
  readonly id: string;
}

/** One account: its facts and actions, and its keys, usage and calls. */
export function AccountPage({ id }: Props) {
  const t = useTexts(texts);
  const account = useQuery(() => readAccount(id));
  const { now, value } = account;
  const isGone = now.state === "failed" && now.failure.code === "NOT_FOUND";
  return (
    <>
      <Group gap="lg">
        <Anchor href={linkTo("operator")} size="sm">
          {t.back}
        </Anchor>
        <Anchor href={linkTo("operator", "audit", id)} size="sm">
          {t.audit}
        </Anchor>
      </Group>
      <PageTitle title={value?.email ?? t.title} about={id} />
      <Loaded query={account} height={720} textOf={() => (isGone ? t.gone : undefined)}>
        {(known) => (
          <>
            <Overview account={known} onChanged={account.reload} />
            <AccountSessions account={known} onEnded={account.take} />
            <Note account={known} onChanged={account.take} />
          </>
        )}
      </Loaded>
      {isGone ? null : (
        <>
          <Keys id={id} />
          <UsageSection id={id} />
          <Calls id={id} />
        </>
      )}
    </>
  );
}

function Keys({ id }: Props) {
  const t = useTexts(texts);
  const [page, setPage] = useState(1);
  const keys = useQuery(() => readKeysOf(id, page), String(page));
  return <KeyList keys={keys} page={page} onPage={setPage} title={t.keys} none={t.noKeys} />;
}

function Calls({ id }: Props) {
  const t = useTexts(texts);
  return <CallList {...useCalls((query) => readCallsOf(id, query))} off={t.callsOff} />;
}

interface OverviewProps {
  readonly account: AdminAccount;
  readonly onChanged: () => void;
}

/** The facts of an account, and the actions of an operator on it. */
function Overview({ account, onChanged }: OverviewProps) {
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
          <SignInHelp account={account} onChanged={onChanged} />
        </Group>
      </Stack>
      {changes.dialog}
    </Section>
  );
}

function AccountFacts({ account }: Pick<OverviewProps, "account">) {
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
